/**
 * Following of a list's end.
 *
 * Following is on at first. Scrolling up switches it off, and so does selecting a row, since the row is being read
 * then. Scrolling back to the end, or the button, switches it on again.
 */
export interface Follow {
  readonly on: boolean;
  /** The newest entry when following stopped; later ones are new. */
  readonly mark: number;
}

export const FOLLOWING: Follow = { on: true, mark: 0 };

/** Switches following on or off; `seen` is the newest entry, regardless of filters. */
export function follow(state: Follow, on: boolean, seen: number): Follow {
  return state.on === on ? state : { on, mark: seen };
}
