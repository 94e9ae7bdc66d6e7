import type { Backend } from "./backend";
import type { Batch } from "./bindings";

/**
 * Asks a host at once for all that a page shows first: the snapshot and the view of the page before. The first subscriber
 * and the first call for the view get what was asked for; everything else goes to the host.
 */
export function askEarly(host: Backend): Backend {
  const waiting: Batch[] = [];
  let take = (batch: Batch): void => void waiting.push(batch);
  let subscribed: Promise<void> | null = host.subscribe((batch) => take(batch));
  let view: Promise<string | null> | null = host.call("kept_view", {});
  // Failures are handled by those who get the promises.
  for (const asked of [subscribed, view]) asked.catch(() => undefined);
  return {
    ...host,
    call(name, args) {
      if (name !== "kept_view" || view === null) return host.call(name, args);
      const asked = view as Promise<never>;
      view = null;
      return asked;
    },
    subscribe(onBatch) {
      if (subscribed === null) return host.subscribe(onBatch);
      const asked = subscribed;
      subscribed = null;
      waiting.splice(0).forEach(onBatch);
      take = onBatch;
      return asked;
    },
  };
}
