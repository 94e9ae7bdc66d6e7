import type { Backend } from "../ipc/backend";
import { connectionActions } from "./actions/connections";
import { createContext } from "./actions/context";
import { navigationActions } from "./actions/navigation";
import { serverActions } from "./actions/servers";
import { windowActions } from "./actions/window";
import { serverGroupActions } from "./serverGroups";
import type { Store } from "./store";
import type { Toasts } from "./toasts";

export type Actions = ReturnType<typeof createActions>;

/**
 * Creates the user's actions that change state: those that the window needs from its start. `get` returns those of a
 * feature. Commands that fail show a notice.
 */
export function createActions(backend: Backend, store: Store, toasts: Pick<Toasts, "offerUndo" | "say">) {
  const context = createContext(backend, store, toasts);
  const { inform, attempt, command, copy, setSlice, saveTyped, get } = context;
  return {
    get,
    inform,
    attempt,
    command,
    copy,
    setSlice,
    saveTyped,
    ...get(navigationActions),
    ...get(serverActions),
    ...get(serverGroupActions),
    ...get(connectionActions),
    ...get(windowActions),
    /** Lets the window close once typed text is saved. */
    async beforeClose(): Promise<void> {
      await saveTyped();
      await backend.call("ready_to_close", {}).catch(() => undefined);
    },
  };
}
