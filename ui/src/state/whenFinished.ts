import type { OperationNumber, OperationView, ServerId } from "../ipc/bindings";
import { waitingSignIn } from "./signIn";
import type { Store } from "./store";

/** Resolves once `look` returns true, which is called now and after each change. */
function whenTrue(store: Store, look: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (look()) return resolve();
    const stop = store.subscribe(() => {
      if (!look()) return;
      stop();
      resolve();
    });
  });
}

/** Resolves with the operation once it has ended; `null` if it is deleted meanwhile. */
export async function whenFinished(store: Store, operation: OperationNumber): Promise<OperationView | null> {
  let seen = false;
  const now = (): OperationView | undefined => store.getState().live.operations[operation];
  await whenTrue(store, () => {
    const view = now();
    // Events can arrive after the result of the command that started it.
    if (view === undefined ? seen : view.state === "finished") return true;
    seen ||= view !== undefined;
    return false;
  });
  return now() ?? null;
}

/** Resolves once the window knows a presentation. */
export function whenListed(store: Store, presentation: string): Promise<void> {
  return whenTrue(store, () => store.getState().live.presentations.some(({ id }) => id === presentation));
}

/** Resolves once a connecting server is connected, has failed, waits for a sign-in, or is removed. */
export function whenConnected(store: Store, server: ServerId): Promise<void> {
  let known = false;
  let begun = false;
  return whenTrue(store, () => {
    const { servers, sessions, auth } = store.getState().live;
    const phase = sessions[server]?.phase ?? "idle";
    if (known && !(server in servers)) return true;
    // Events can arrive after the results of the commands that added and connected it.
    known ||= server in servers;
    begun ||= phase !== "idle";
    return begun && (phase !== "connecting" || waitingSignIn(auth[server]) !== null);
  });
}
