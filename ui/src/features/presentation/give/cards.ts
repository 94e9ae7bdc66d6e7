import type { KeyboardEvent } from "react";

/** Arrow keys move from card to card of a list, Home and End to the first and the last one. */
export function stepByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const now = cards.indexOf(document.activeElement as HTMLElement);
  const to = {
    ArrowRight: now + 1,
    ArrowDown: now + 1,
    ArrowLeft: now - 1,
    ArrowUp: now - 1,
    Home: 0,
    End: cards.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  cards[to]?.focus();
}
