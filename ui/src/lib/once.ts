import type { MouseEvent } from "react";

/**
 * Limits an action to one per press: the second click of a double click does nothing, as it may hit an element that
 * replaced the clicked one.
 */
export function once(act: () => unknown): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
