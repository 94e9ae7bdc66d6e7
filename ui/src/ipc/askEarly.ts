import type { Backend } from "./backend";
import type { Batch } from "./bindings";

/**
 * Asks a host at once for all that a page shows first: the snapshot and the view of the page before. The first subscriber
 * and the first call for the view get what was asked for; everything else goes to the host.
 */
export function askEarly(host: Backend): Backend {
  const waiting: Batch[] = [];
  let receive = (batch: Batch): void => void waiting.push(batch);
  let subscribed: Promise<void> | null = host.subscribe((batch) => receive(batch));
  let view: Promise<string | null> | null = host.call("kept_view", {});
  // Failures are handled by those who get the promises.
  for (const pending of [subscribed, view]) pending.catch(() => undefined);
  return {
    ...host,
    call(name, args) {
      if (name !== "kept_view" || view === null) return host.call(name, args);
      const pending = view as Promise<never>;
      view = null;
      return pending;
    },
    subscribe(onBatch) {
      if (subscribed === null) return host.subscribe(onBatch);
      const pending = subscribed;
      subscribed = null;
      waiting.splice(0).forEach(onBatch);
      receive = onBatch;
      return pending;
    },
  };
}
