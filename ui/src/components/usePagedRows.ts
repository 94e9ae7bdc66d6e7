import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";

import { rowAt, RowPages } from "./viewer/rowPages";

/**
 * Rows that the host holds, fetched by index as they come into view. The list only grows; a new
 * `subject` is another list, so give the component that uses this a `key` of it.
 */
export function usePagedRows<T>(rows: number, fetch: (from: number, count: number) => Promise<readonly T[]>) {
  const fetchNow = useEffectEvent(fetch);
  const [pages, setPages] = useState<RowPages<T> | null>(null);
  useEffect(() => {
    const opened = new RowPages<T>({ fetch: (from, count) => fetchNow(from, count) });
    // The cache belongs to this effect: it is closed with it.
    // oxlint-disable-next-line react/set-state-in-effect
    setPages(opened);
    return () => opened.close();
  }, []);
  useEffect(() => {
    if (pages && rows < pages.rows) pages.clear(rows);
    else pages?.resize(rows);
  }, [pages, rows]);
  const snapshot = useSyncExternalStore(pages?.subscribe ?? neverChanges, pages?.snapshot ?? nothing);
  return {
    row: (index: number): T | undefined => (snapshot ? (rowAt(snapshot, index) as T | undefined) : undefined),
    onRange: (first: number, last: number): void => pages?.show(first, last + 1),
  };
}

const neverChanges = (): (() => void) => () => undefined;
const nothing = (): null => null;
