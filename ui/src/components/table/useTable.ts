import { useEffect, useState } from "react";

import type { DocumentSource } from "../../ipc/bindings";
import { useBackend } from "../../state/hooks";
import { MOST_TABLE_BYTES, tableHere, tableInWorker, type TableEngine } from "./tableEngine";

/**
 * The table in a document that stays the same while the component is there. `text` is the whole of a short one, which is
 * looked at here; longer ones are read by a worker.
 */
export function useTable(source: DocumentSource, text: string | null, bytes: number): TableEngine | "reading" | null {
  const backend = useBackend();
  const long = text === null && bytes <= MOST_TABLE_BYTES;
  const [table, setTable] = useState<TableEngine | "reading" | null>(() =>
    long ? "reading" : text === null ? null : tableHere(text),
  );
  // The component has the source as its key.
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
        // Why it cannot be read is said where it is shown as a document.
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
