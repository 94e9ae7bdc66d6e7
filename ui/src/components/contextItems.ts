import type { MenuItem } from "./Menu";

/** Items that the elements under the pointer add to the context menu, by the event that opens it. */
const offers = new WeakMap<Event, readonly MenuItem[]>();

/** Adds items to the context menu that this event opens, while the event bubbles. */
export function offerItems(event: Event, items: readonly MenuItem[]): void {
  offers.set(event, [...itemsOf(event), ...items]);
}

/** Returns the items added to the context menu of this event. */
export function itemsOf(event: Event): readonly MenuItem[] {
  return offers.get(event) ?? [];
}
