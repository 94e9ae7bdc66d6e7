import { useEffect, useState, type RefObject } from "react";

/** Numbers of columns that are not fully in view. */
export interface HiddenColumns {
  readonly left: number;
  readonly right: number;
}

const NONE: HiddenColumns = { left: 0, right: 0 };

/** Counts the columns of a table that are scrolled out of view; recounts when `layout` changes. */
export function useHiddenColumns(scroller: RefObject<HTMLElement | null>, layout: string): HiddenColumns {
  const [hidden, setHidden] = useState(NONE);
  useEffect(() => {
    const view = scroller.current;
    if (!view) return undefined;
    const count = (): void => {
      const { left, width } = view.getBoundingClientRect();
      const columns = columnsOf(view).map((one) => one.getBoundingClientRect());
      const now = hiddenOf(columns, left, left + Math.min(width, view.clientWidth));
      setHidden((before) => (now.left === before.left && now.right === before.right ? before : now));
    };
    const observer = new ResizeObserver(count);
    observer.observe(view);
    // Column widths can change while the total stays the same: when a pane returns, or a column is resized.
    for (const part of [...view.children, ...columnsOf(view)]) observer.observe(part);
    view.addEventListener("scroll", count, { passive: true });
    count();
    return () => {
      observer.disconnect();
      view.removeEventListener("scroll", count);
    };
  }, [scroller, layout]);
  return hidden;
}

const columnsOf = (view: HTMLElement): readonly Element[] => [
  ...view.querySelectorAll("[role=columnheader], th[scope=col]"),
];

/** Returns the columns that reach over the edges, by more than a pixel. */
export function hiddenOf(
  columns: readonly Pick<DOMRect, "left" | "right">[],
  left: number,
  right: number,
): HiddenColumns {
  return {
    left: columns.filter((column) => column.left < left - 1).length,
    right: columns.filter((column) => column.right > right + 1).length,
  };
}
