import { useLayoutEffect, useRef, type RefObject } from "react";

import { listen } from "../../lib/listen";

/** Attribute of rows that can be held in place. */
export const STEADY = "data-steady";

interface Held {
  /** The first visible row, and its distance from the upper edge. */
  readonly row: HTMLElement | null;
  readonly offset: number;
  readonly atEnd: boolean;
  /** The scroll position at that time. */
  readonly top: number;
}

/**
 * Keeps the reading position in a list that grows at its end and loses rows at its front: at the end it follows the end
 * while `follow` holds; elsewhere the first visible row stays in place.
 */
export function useSteadyScroll(scroller: RefObject<HTMLElement | null>, content: unknown, follow: boolean): void {
  const held = useRef<Held>({ row: null, offset: 0, atEnd: true, top: 0 });

  useLayoutEffect(() => {
    const view = scroller.current;
    if (!view) return undefined;
    const remember = (): void => {
      // Positions set below keep their exact offset, as rounded ones would add up to a drift.
      if (view.scrollTop !== held.current.top) held.current = look(view);
    };
    return listen(view, { scroll: remember }, { passive: true });
  }, [scroller]);

  useLayoutEffect(() => {
    const view = scroller.current;
    if (!view) return;
    const { row, offset, atEnd, top } = held.current;
    // The user may have scrolled, with the event still pending.
    const moved = view.scrollTop - top;
    if (atEnd && follow && moved >= 0) {
      view.scrollTo({ top: view.scrollHeight });
      held.current = look(view);
    } else if (row?.isConnected) {
      view.scrollBy({ top: place(view, row) - offset + moved });
      held.current = { row, offset: offset - moved, atEnd: isAtEnd(view), top: view.scrollTop };
    } else {
      held.current = look(view);
    }
  }, [scroller, content, follow]);
}

function look(view: HTMLElement): Held {
  const edge = view.getBoundingClientRect().top;
  const rows = [...view.querySelectorAll<HTMLElement>(`[${STEADY}]`)];
  const row = rows.find((each) => each.getBoundingClientRect().bottom > edge + 1) ?? null;
  return { row, offset: row ? place(view, row) : 0, atEnd: isAtEnd(view), top: view.scrollTop };
}

function isAtEnd(view: HTMLElement): boolean {
  return view.scrollHeight - view.scrollTop - view.clientHeight < 4;
}

function place(view: HTMLElement, row: HTMLElement): number {
  return row.getBoundingClientRect().top - view.getBoundingClientRect().top;
}
