import type { ResourceSubscription } from "../ipc/bindings";
import { clockTime, count } from "../lib/format";

/** Describes the state of a subscription to a resource in one sentence. */
export function subscriptionWords({ state, updated_at, updates }: ResourceSubscription, ready: boolean): string {
  switch (state.type) {
    case "failed":
      return `Not subscribed. ${state.why}`;
    case "pending":
      return ready ? "Subscribing…" : "Subscribed again with the next connection.";
    case "ending":
      return "Unsubscribing…";
    case "active":
      return updated_at === null
        ? "Subscribed. No update yet."
        : `Updated ${clockTime(updated_at).slice(0, 8)}${updates > 1 ? ` (${count(updates, "update", "updates")})` : ""}`;
  }
}
