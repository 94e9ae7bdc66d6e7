import { useLayoutEffect, useState, useSyncExternalStore } from "react";

import { RowWindow, type RowWindowSnapshot } from "./rowWindow";

/**
 * A virtual list of `rows` rows of one height. Hand the scroller to `window.attach` in an effect, and
 * mark the element in it that is as high as all rows with `data-row-layer`.
 */
export function useRowWindow(
  rows: number,
  rowHeight: number,
  overscan?: number,
  inset?: number,
): { readonly window: RowWindow; readonly view: RowWindowSnapshot } {
  const [window] = useState(() => new RowWindow(rowHeight, overscan, inset));
  const view = useSyncExternalStore(window.subscribe, window.snapshot);
  useLayoutEffect(() => window.setRows(rows), [window, rows]);
  return { window, view };
}
