import type { Backend } from "../ipc/backend";
import { noScrollers } from "../lib/scrollPositions";
import { createActions, type Actions } from "./actions";
import { keepView, restoreView } from "./keptView";
import { applyBatch, createAppStore, type Store } from "./store";
import { nextFrame, Subscription, type Frame } from "./subscription";
import { createToasts, type Toasts } from "./toasts";

/** Actions that a component handles, such as a form that knows its values. */
export type HandlerName =
  | "run_tool"
  | "send_anyway"
  | "reset_form"
  | "choose_input"
  | "save_input"
  | "update_input"
  | "next_difference"
  | "previous_difference";

/** Everything that components reach through the hooks. One per window. */
export interface App {
  readonly backend: Backend;
  readonly store: Store;
  readonly actions: Actions;
  /** Handlers that visible components register for the window's actions. */
  readonly handlers: Map<HandlerName, () => void>;
  readonly toasts: Toasts;
  /** Restores the state of the previous page, and opens the channel to the host. */
  start(): Promise<void>;
}

export function createApp(
  backend: Backend,
  frame: Frame = nextFrame,
  scroll = noScrollers,
  toasts = createToasts(),
): App {
  const store = createAppStore();
  const actions = createActions(backend, store, toasts);
  const subscription = new Subscription(
    backend,
    {
      apply: (batch) => {
        applyBatch(store, batch);
        if (batch.type === "events" && batch.events.some((event) => event.type === "closing")) {
          void actions.beforeClose();
        }
      },
      failed: (channelError) => store.setState({ channelError }),
    },
    frame,
  );
  const start = async (): Promise<void> => {
    // Both requests are sent together to save time; their results are taken over in order.
    const restored = restoreView(backend, store, scroll).then(() => keepView(backend, store, scroll));
    await Promise.all([restored, subscription.open(restored)]);
  };
  return { backend, store, actions, toasts, handlers: new Map(), start };
}
