import { useLayoutEffect, useState, useSyncExternalStore } from "react";

import { RowWindow, type RowWindowSnapshot } from "./rowWindow";

/** A virtual list of `rows` rows of one height: give `window.attach` to the scroller as its ref. */
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
