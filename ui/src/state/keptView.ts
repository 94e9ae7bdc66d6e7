import type { Backend } from "../ipc/backend";
import type { Store } from "./store";
import { initialView, type ViewState } from "./view";

/** Milliseconds in which changes are gathered. */
const GATHER = 200;

/**
 * What of the view is kept: not the drafts, which the host has already, and not what is over the
 * moment it is done.
 */
type KeptView = Pick<ViewState, "server" | "panel" | "perServer" | "answers" | "serverForms" | "sizes">;

function kept({ server, panel, perServer, answers, serverForms, sizes }: ViewState): KeptView {
  return { server, panel, perServer, answers, serverForms, sizes };
}

/** Takes over what the page before this one looked like, in the same run of the app. */
export async function restoreView(backend: Backend, store: Store): Promise<void> {
  const text = await backend.call("kept_view", {}).catch(() => null);
  if (text === null) return;
  const before = JSON.parse(text) as KeptView;
  store.setState({ view: { ...initialView, ...before } });
}

/** Hands what the page looks like to the host whenever it has changed. */
export function keepView(backend: Backend, store: Store): void {
  let scheduled = false;
  let last = "";
  store.subscribe((state, before) => {
    if (state.view === before.view || scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      const text = JSON.stringify(kept(store.getState().view));
      if (text === last) return;
      last = text;
      // Where it cannot be kept, a page that is loaded again begins with its first look.
      backend.call("keep_view", { view: text }).catch(() => undefined);
    }, GATHER);
  });
}
