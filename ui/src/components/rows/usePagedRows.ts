import { useEffect, useState, useSyncExternalStore } from "react";

import { rowAt, RowPages, type PageFetch } from "./rowPages";

/**
 * Rows that the host holds, fetched by index as they come into view. What is fetched is the list of
 * the first rendering: give the component that uses this a `key` of it.
 */
export function usePagedRows<T>(rows: number, fetch: PageFetch<T>) {
  const [pages] = useState(() => new RowPages<T>({ fetch }));
  const snapshot = useSyncExternalStore(pages.subscribe, pages.snapshot);
  useEffect(() => {
    if (rows < pages.rows) pages.clear(rows);
    else pages.resize(rows);
  }, [pages, rows]);
  return { row: (index: number): T | undefined => rowAt(snapshot, index), onRange: pages.show };
}
