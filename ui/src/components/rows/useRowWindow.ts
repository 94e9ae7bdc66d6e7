import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type RefObject,
} from "react";

import type { Settings } from "../../ipc/bindings";
import { useAppState } from "../../state/hooks";
import { RowWindow, type RowWindowSnapshot } from "./rowWindow";

/** Row height factor for each text size. Small text keeps the rows of medium text, to stay easy to click. */
const GROWTH: Readonly<Record<Settings["text_size"], number>> = { small: 1, medium: 1, large: 1.3 };

export interface RowWindowOptions {
  /** Height of every row in px at the usual text size. Fixed, as are `overscan` and `inset`. */
  readonly rowHeight: number;
  /** Rows rendered beyond each edge of the visible area. */
  readonly overscan?: number;
  /** Height of the sticky header inside the scroller, which covers rows, in px. */
  readonly inset?: number;
  /** Ref to the scroller, if others need it too. */
  readonly scroller?: RefObject<HTMLDivElement | null>;
  /** Follows the end as the list grows. */
  readonly follow?: boolean;
  /**
   * Number of rows removed from the front so far, if known: while the end is not followed, the rows in view stay in
   * place when it grows.
   */
  readonly dropped?: number | undefined;
  /** Reports scrolling by the user, not by the list itself. */
  readonly onUserScroll?: (atEnd: boolean) => void;
  /** Reports the rendered rows: `from` up to, but excluding, `to`. */
  readonly onRange?: ((from: number, to: number) => void) | undefined;
}

/** A virtual list, for {@link VirtualRows} to render. */
export interface RowList {
  readonly rows: number;
  /** Height of every row in px at the present text size. */
  readonly rowHeight: number;
  readonly window: RowWindow;
  readonly view: RowWindowSnapshot;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Follows the end: its position is not worth storing. */
  readonly follow: boolean;
}

/** State of a virtual list of `rows` rows of equal height, read by index. */
export function useRowWindow(rows: number, options: RowWindowOptions): RowList {
  const { overscan, inset, follow = false, dropped, onRange } = options;
  // A presentation has its own sizes.
  const growth = useAppState(({ live, view }) => (view.giving === null ? GROWTH[live.settings.text_size] : 1));
  const rowHeight = Math.round(options.rowHeight * growth);
  const window = useMemo(() => new RowWindow(rowHeight, overscan, inset), [rowHeight, overscan, inset]);
  const view = useSyncExternalStore(window.subscribe, window.snapshot);
  const own = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => window.setRows(rows), [window, rows]);
  useLayoutEffect(() => {
    if (follow) window.scrollToEnd();
  }, [window, follow, rows, view.fit]);

  const lastDropped = useRef(dropped);
  useLayoutEffect(() => {
    const gone = (dropped ?? 0) - (lastDropped.current ?? dropped ?? 0);
    lastDropped.current = dropped;
    if (gone > 0 && !follow) window.scrollTo(window.virtualTop - gone * rowHeight);
  }, [window, dropped, follow, rowHeight]);

  const userScrolled = useEffectEvent((atEnd: boolean) => options.onUserScroll?.(atEnd));
  useEffect(() => window.subscribeUserScroll((atEnd) => userScrolled(atEnd)), [window]);
  useEffect(() => onRange?.(view.from, view.to), [onRange, view.from, view.to, rows]);

  return { rows, rowHeight, window, view, scroller: options.scroller ?? own, follow };
}

/** True if the row is rendered. */
export function isDrawn(list: RowList, row: number | null): row is number {
  return row !== null && row >= list.view.from && row < Math.min(list.view.to, list.rows);
}
