import type { Backend } from "../ipc/backend";
import type { Positions, ScrollPositions } from "../lib/scrollPositions";
import { createDocument, toText } from "../schema";
import { begin, freshStep, type Giving, type GivenStep } from "./giving";
import type { Store } from "./store";
import { initialView, type Answer, type ViewState } from "./view";

/** Milliseconds during which changes are gathered. */
const GATHER_TIME = 200;

/** A reply as text: its document is rebuilt from the schema and this text. */
interface KeptAnswer extends Pick<Answer, "raw" | "sampling"> {
  readonly form: { readonly schema: string; readonly text: string } | null;
}

/** A presentation without filled-in values; it begins again with the saved inputs. */
interface KeptGiving extends Pick<Giving, "presentation" | "step" | "notes"> {
  readonly runs: Readonly<Record<string, GivenStep["run"]>>;
}

/** The stored part of the view: without the drafts, which the host has, and without short-lived state. */
interface KeptView extends Pick<
  ViewState,
  "server" | "serverFilter" | "beside" | "panel" | "perServer" | "serverForms" | "lastGiven"
> {
  readonly giving: KeptGiving | null;
  readonly left: Readonly<Record<string, KeptGiving>>;
  readonly answers: Readonly<Record<number, KeptAnswer>>;
  readonly scroll: Positions;
}

function keptPart(view: ViewState, scroll: Positions): KeptView {
  const { server, serverFilter, beside, panel, perServer, answers, serverForms, lastGiven } = view;
  const keptAnswer = ({ document, raw, sampling }: Answer): KeptAnswer => ({
    form: document && { schema: document.source.text, text: toText(document) },
    raw,
    sampling,
  });
  const keptGiving = ({ presentation, step, notes, steps }: Giving): KeptGiving => ({
    presentation,
    step,
    notes,
    runs: mapped(steps, ({ run }) => run),
  });
  const giving = view.giving && keptGiving(view.giving);
  const left = mapped(view.left, keptGiving);
  return {
    server,
    serverFilter,
    beside,
    panel,
    perServer,
    giving,
    left,
    lastGiven,
    answers: mapped(answers, keptAnswer),
    serverForms,
    scroll,
  };
}

function restored(view: Omit<KeptView, "scroll">): ViewState {
  const answer = ({ form, raw, sampling }: KeptAnswer): Answer => ({
    document: form && createDocument(form.schema, form.text),
    raw,
    sampling,
  });
  const again = ({ presentation, step, notes, runs }: KeptGiving): Giving => ({
    ...begin(presentation, step),
    notes,
    steps: mapped(runs, (run): GivenStep => ({ ...freshStep, run })),
  });
  const giving = view.giving && again(view.giving);
  return { ...initialView, ...view, giving, left: mapped(view.left, again), answers: mapped(view.answers, answer) };
}

function mapped<A, B>(all: Readonly<Record<string, A>>, change: (one: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]));
}

/** Restores the view of the previous page, in the same run of the app. */
export async function restoreView(backend: Backend, store: Store, scroll: ScrollPositions): Promise<void> {
  const text = await backend.call("kept_view", {}).catch(() => null);
  if (text === null) return;
  const { scroll: positions, ...view } = JSON.parse(text) as KeptView;
  store.setState({ view: restored(view) });
  scroll.restore(positions);
}

/** Sends the view to the host whenever it has changed. */
export function keepView(backend: Backend, store: Store, scroll: ScrollPositions): void {
  let scheduled = false;
  let last = "";
  const changed = (): void => {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      const text = JSON.stringify(keptPart(store.getState().view, scroll.read()));
      if (text === last) return;
      last = text;
      // If the view cannot be stored, a reloaded page begins with the initial view.
      backend.call("keep_view", { view: text }).catch(() => undefined);
    }, GATHER_TIME);
  };
  store.subscribe((state, before) => {
    if (state.view !== before.view) changed();
  });
  scroll.subscribe(changed);
}
