import { useEffect, useState } from "react";

import type { DocumentSource } from "../../ipc/bindings";
import { useBackend } from "../../state/hooks";
import { MOST_TABLE_BYTES, tableHere, tableInWorker, type TableEngine } from "./tableEngine";

/**
 * Returns the table in a document, which must stay the same while the component is mounted. `text` is the whole text of
 * a short document, which is parsed here; longer ones are read by a worker.
 */
export function useTable(source: DocumentSource, text: string | null, bytes: number): TableEngine | "reading" | null {
  const backend = useBackend();
  const long = text === null && bytes <= MOST_TABLE_BYTES;
  const [table, setTable] = useState<TableEngine | "reading" | null>(() =>
    long ? "reading" : text === null ? null : tableHere(text),
  );
  // The source is the component's key, so it does not change.
  const [given] = useState(source);
  useEffect(() => {
    if (!long) return undefined;
    let current = true;
    let engine: TableEngine | null = null;
    tableInWorker(backend, given).then(
      (found) => {
        engine = found;
        if (current) setTable(found);
        else found?.close();
      },
      () => {
        // The document view shows the reason.
        if (current) setTable(null);
      },
    );
    return () => {
      current = false;
      engine?.close();
    };
  }, [backend, given, long]);
  return table;
}
