import type { OperationNumber, OperationView } from "../ipc/bindings";
import type { Store } from "./store";

/** Resolves with an operation as it is over; `null` where it is deleted meanwhile. */
export function whenFinished(store: Store, operation: OperationNumber): Promise<OperationView | null> {
  return new Promise((resolve) => {
    let seen = false;
    const look = (): boolean => {
      const view = store.getState().live.operations[operation];
      // Events can be behind the answer to the command that started it.
      if (view === undefined ? !seen : view.state !== "finished") {
        seen ||= view !== undefined;
        return false;
      }
      resolve(view ?? null);
      return true;
    };
    if (look()) return;
    const stop = store.subscribe(() => {
      if (look()) stop();
    });
  });
}
