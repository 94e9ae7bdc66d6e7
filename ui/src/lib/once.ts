import type { MouseEvent } from "react";

/**
 * What a press does once: the second click of a double click, which may meet what has taken the place of what was
 * clicked, does nothing.
 */
export function once(act: () => unknown): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
