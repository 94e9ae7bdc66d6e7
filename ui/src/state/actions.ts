import type { Backend } from "../ipc/backend";
import { catalogActions } from "./actions/catalogs";
import type { CheckActions } from "./actions/checks";
import { connectionActions } from "./actions/connections";
import { createContext } from "./actions/context";
import { draftActions } from "./actions/drafts";
import { issueActions } from "./actions/issues";
import { navigationActions } from "./actions/navigation";
import { operationActions } from "./actions/operations";
import { serverRequestActions } from "./actions/serverRequests";
import { serverActions } from "./actions/servers";
import { signInActions } from "./actions/signingIn";
import { windowActions } from "./actions/window";
import { wireActions } from "./actions/wire";
import { keptTextActions } from "./keptTexts";
import { preparingActions } from "./preparing";
import { presentationActions } from "./presentations";
import { savedInputActions } from "./savedInputs";
import { serverGroupActions } from "./serverGroups";
import type { Store } from "./store";
import type { Toasts } from "./toasts";

export type Actions = ReturnType<typeof createActions>;

/** Creates the user's actions that change state. Commands that fail show a notice. */
export function createActions(backend: Backend, store: Store, toasts: Pick<Toasts, "offerUndo" | "say">) {
  const context = createContext(backend, store, toasts);
  const { inform, attempt, command, copy } = context;
  const navigation = navigationActions(context);
  const catalogs = catalogActions(context, navigation);
  const drafts = draftActions(context);
  const keptTexts = keptTextActions(context);
  const operations = operationActions(context, catalogs, keptTexts);
  const presentations = presentationActions(context);
  const preparing = preparingActions(context, presentations);

  async function saveDrafts(): Promise<void> {
    await Promise.all([
      drafts.saveDraftsOf(""),
      keptTexts.saveTexts(),
      preparing.savePresentations(),
      context.viewMemory.flush(),
    ]);
  }

  return {
    inform,
    attempt,
    command,
    copy,
    setSlice: context.setSlice,
    ...navigation.actions,
    ...serverActions(context, navigation, drafts),
    ...serverGroupActions(context),
    ...connectionActions(context),
    ...signInActions(context),
    ...catalogs.actions,
    ...drafts.actions,
    ...keptTexts,
    ...savedInputActions(context, presentations, navigation, drafts),
    ...operations,
    ...serverRequestActions(context),
    ...wireActions(context),
    ...issueActions(context, catalogs.actions, operations),
    /** Runs an action on checks, whose code is loaded at its first use. */
    async checks<K extends keyof CheckActions>(
      act: K,
      ...args: Parameters<CheckActions[K]>
    ): Promise<Awaited<ReturnType<CheckActions[K]>>> {
      const actions = (await import("./actions/checks")).checkActions(context);
      return (actions[act] as (...all: readonly unknown[]) => never)(...args);
    },
    ...presentations,
    ...preparing,
    ...windowActions(context),
    /** Saves typed text at once, as before the window closes. */
    saveDrafts,
    /** Lets the window close once typed text is saved. */
    async beforeClose(): Promise<void> {
      await saveDrafts();
      await backend.call("ready_to_close", {}).catch(() => undefined);
    },
  };
}
