import { useEffect, useState, useSyncExternalStore } from "react";

import { rowAt, RowPages, type PageFetch } from "./rowPages";

/**
 * Rows held by the host, fetched by index as they become visible. The `fetch` of the first rendering is used: give the
 * component a `key` that identifies the list.
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
