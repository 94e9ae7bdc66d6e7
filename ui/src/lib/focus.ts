import { flushSync } from "react-dom";

/** Controls that something can be typed into or chosen in. */
export const FIELD =
  ":is(input, textarea, select, [contenteditable=true]):not([tabindex='-1'], [type=hidden], :disabled)";
/** Elements that the Tab key reaches, except those that resize panes. */
export const TABBABLE = `:is(button:not(:disabled), a[href], summary, [tabindex='0'], ${FIELD}):not([tabindex='-1'], [role=separator])`;

/**
 * Renders a change of state and then moves the focus or scrolls in what was rendered, before the next key is heard. A
 * frame later that key would be lost, or go to what had the focus before.
 */
export function commitThen(change: () => void, move: () => void): void {
  flushSync(change);
  move();
}
