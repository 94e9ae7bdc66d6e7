/**
 * Following of a list's end.
 *
 * It is on at first. Scrolling up switches it off, and so does selecting a row, since the row is being read then.
 * Scrolling back to the end, or the button, switches it on again.
 */
export interface Follow {
  readonly on: boolean;
  /** The newest entry when following stopped; later ones are new. */
  readonly mark: number;
}

/** Sequence number of the newest entry, regardless of filters. */
export type Seen = number;

export const FOLLOWING: Follow = { on: true, mark: 0 };

export type FollowEvent =
  | { readonly type: "scrolled"; readonly atEnd: boolean; readonly seen: Seen }
  | { readonly type: "selected"; readonly seen: Seen }
  | { readonly type: "switched"; readonly on: boolean; readonly seen: Seen };

export function follow(state: Follow, event: FollowEvent): Follow {
  switch (event.type) {
    case "scrolled":
      if (event.atEnd === state.on) return state;
      return { on: event.atEnd, mark: event.seen };
    case "selected":
      return state.on ? { on: false, mark: event.seen } : state;
    case "switched":
      return { on: event.on, mark: event.seen };
  }
}

/** Number of entries since following stopped, shown or not. */
export function newCount(state: Follow, seen: Seen): number {
  return state.on ? 0 : Math.max(0, seen - state.mark);
}
