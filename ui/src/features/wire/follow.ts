/**
 * Whether the list sticks to its end.
 *
 * It does from the beginning; scrolling up stops it, and so does selecting a row, since that is
 * being read then. Scrolling back to the end, or the button, begins it again.
 */
export interface Follow {
  readonly on: boolean;
  /** Entries that had ever been matched when following stopped; later ones count as new. */
  readonly mark: number;
}

/** A count of matching entries that dropping does not lower, so that "new" never goes backwards. */
export type Seen = number;

export const FOLLOWING: Follow = { on: true, mark: 0 };

export type FollowEvent =
  | { readonly type: "scrolled"; readonly atEnd: boolean; readonly seen: Seen }
  | { readonly type: "selected"; readonly seen: Seen }
  | { readonly type: "switched"; readonly on: boolean; readonly seen: Seen }
  | { readonly type: "filtered"; readonly seen: Seen };

export function follow(state: Follow, event: FollowEvent): Follow {
  switch (event.type) {
    case "scrolled":
      if (event.atEnd === state.on) return state;
      return { on: event.atEnd, mark: event.seen };
    case "selected":
      return state.on ? { on: false, mark: event.seen } : state;
    case "switched":
      return { on: event.on, mark: event.seen };
    case "filtered":
      return { ...state, mark: event.seen };
  }
}

/** Entries that came since following stopped. */
export function newCount(state: Follow, seen: Seen): number {
  return state.on ? 0 : Math.max(0, seen - state.mark);
}
