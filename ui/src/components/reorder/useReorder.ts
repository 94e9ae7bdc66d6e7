import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from "react";

import { matchesKeys } from "../../lib/shortcuts";
import { gapAt, placeOf } from "../../lib/places";
import { listen } from "../../lib/listen";

/** The dragged row, and the gap in which it would be dropped. */
export interface Dragging {
  readonly from: number;
  readonly gap: number;
}

/** Selector of the rows of a list, which are marked with their positions. */
const ROW_SELECTOR = ":scope > [data-place]";

/**
 * Reorders the rows of a list by dragging a handle, or with Alt and an arrow key within a row. Rows stay in place while
 * one is dragged: the list shows the gap. Esc cancels.
 */
export function useReorder(list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void) {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const giveUp = useRef<(() => void) | null>(null);
  useEffect(() => () => giveUp.current?.(), []);

  const onPointerDown = (event: PointerEvent<HTMLElement>, from: number): void => {
    const inside = list.current;
    if (event.button !== 0 || !inside) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const { pointerId } = event;
    let gap = from;
    const onMove = (moveEvent: globalThis.PointerEvent): void => {
      if (moveEvent.pointerId !== pointerId) return;
      const rows = [...inside.querySelectorAll<HTMLElement>(ROW_SELECTOR)];
      gap = gapAt(
        rows.map((row) => row.getBoundingClientRect()),
        moveEvent.clientY,
      );
      setDragging({ from, gap });
      rows[Math.min(gap, rows.length - 1)]?.scrollIntoView({ block: "nearest" });
    };
    const end = (): void => {
      stops.forEach((stop) => stop());
      giveUp.current = null;
      setDragging(null);
    };
    const onUp = (): void => {
      end();
      const to = placeOf(gap, from);
      if (to !== from) move(from, to);
    };
    const onKey = (key: globalThis.KeyboardEvent): void => {
      if (key.key !== "Escape") return;
      key.preventDefault();
      key.stopPropagation();
      end();
    };
    giveUp.current = end;
    handle.setPointerCapture(pointerId);
    const stops = [
      listen(handle, { pointermove: onMove, pointerup: onUp, pointercancel: end }),
      listen(window, { keydown: onKey }, { capture: true }),
    ];
    setDragging({ from, gap });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const by = matchesKeys(event, "Alt+ArrowUp") ? -1 : matchesKeys(event, "Alt+ArrowDown") ? 1 : 0;
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[data-place]");
    // In a multi-line text or a menu, the control itself uses the arrow keys.
    if (by === 0 || !row || target.matches("textarea, select")) return;
    event.preventDefault();
    const from = Number(row.dataset["place"]);
    const to = from + by;
    if (to >= 0 && to < (list.current?.querySelectorAll(ROW_SELECTOR).length ?? 0)) move(from, to);
  };

  return {
    dragging,
    /** For the list element. */
    onKeyDown,
    /** For the handle of the row at a position. */
    handle: (place: number) => ({ onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(event, place) }),
  };
}

/**
 * Returns the edge of a row that shows the gap, if any. The edges of the dragged row never do, as it would not move.
 */
export function gapEdge(dragging: Dragging | null, place: number, rows: number): "before" | "after" | undefined {
  if (!dragging || placeOf(dragging.gap, dragging.from) === dragging.from) return undefined;
  if (dragging.gap === place) return "before";
  return dragging.gap === rows && place === rows - 1 ? "after" : undefined;
}
