import type { MenuItem } from "./Menu";

/** What the parts under the pointer add to the context menu that an event opens. */
const offers = new WeakMap<Event, readonly MenuItem[]>();

/** Adds items to the context menu that this event opens, as it passes. */
export function offerItems(event: Event, items: readonly MenuItem[]): void {
  offers.set(event, [...itemsOf(event), ...items]);
}

/** What was added to the context menu of this event. */
export function itemsOf(event: Event): readonly MenuItem[] {
  return offers.get(event) ?? [];
}
