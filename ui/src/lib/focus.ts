import { flushSync } from "react-dom";

/** Selector of controls that the user types into or chooses in. */
export const FIELD =
  ":is(input, textarea, select, [contenteditable=true]):not([tabindex='-1'], [type=hidden], :disabled)";
/** Selector of elements that the Tab key reaches, except those that resize panes. */
export const TABBABLE = `:is(button:not(:disabled), a[href], summary, [tabindex='0'], ${FIELD}):not([tabindex='-1'], [role=separator])`;

/**
 * Renders a change of state and then moves the focus or scrolls in the rendered content, before the next key press is
 * handled. A frame later, that key press would be lost or go to the element that had the focus before.
 */
export function commitThen(change: () => void, move: () => void): void {
  flushSync(change);
  move();
}
