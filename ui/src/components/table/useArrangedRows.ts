import { useEffect, useState, useSyncExternalStore } from "react";

import { whileWanted } from "../../lib/whileWanted";
import { rowAt, RowPages } from "../rows/rowPages";
import type { TableEngine } from "./tableEngine";
import type { Arrangement, CellTexts } from "./tableView";

export interface ArrangedRows {
  readonly rows: number;
  readonly row: (index: number) => CellTexts | undefined;
  readonly onRange: (from: number, to: number) => void;
  /** Arranging took too long, or the worker has ended. */
  readonly failed: boolean;
}

/** Returns the rows of a table in an arrangement; the previous rows stay until the new ones are ready. */
export function useArrangedRows(engine: TableEngine, { sorting, search }: Arrangement): ArrangedRows {
  const [failed, setFailed] = useState(false);
  const [pages] = useState(() => {
    return new RowPages<CellTexts>({
      fetch: (from, count) => engine.rows(from, count),
      onError: () => setFailed(true),
    });
  });
  const [rows, setRows] = useState(engine.head.rows);
  const snapshot = useSyncExternalStore(pages.subscribe, pages.snapshot);
  useEffect(
    () =>
      whileWanted(
        engine.arrange({ sorting, search }, pages.pageSize),
        (arranged) => {
          pages.replace(arranged.rows, arranged.first);
          setRows(arranged.rows);
        },
        () => setFailed(true),
      ),
    [engine, pages, sorting, search],
  );
  return { rows, row: (index) => rowAt(snapshot, index), onRange: pages.show, failed };
}
