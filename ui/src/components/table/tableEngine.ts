import type { Backend } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { WorkerCalls } from "../../lib/workerCalls";
import { tableIn, type Arranged, type Arrangement, type CellTexts, type TableHead } from "./tableView";
import type { TableFormat, TableText } from "./tableText";
import type { TableFunctions } from "./tableWorker";

/** Larger documents are not looked at for tables: the window would hold them many times over. In bytes. */
export const MOST_TABLE_BYTES = 8 * 1024 * 1024;
/** Milliseconds for anything that is done with a table. */
const TIME_LIMIT = 15_000;

/** A table, wherever it is held. */
export interface TableEngine {
  readonly head: TableHead;
  arrange(arrangement: Arrangement, count: number): Promise<Arranged>;
  rows(from: number, count: number): Promise<readonly CellTexts[]>;
  text(format: TableFormat): Promise<TableText>;
  close(): void;
}

/** The table in a short JSON text, held in the page; `null` where it is none. */
export function tableHere(json: string): TableEngine | null {
  const view = tableIn(json);
  if (!view) return null;
  return {
    head: view.head,
    arrange: async (arrangement, count) => view.arrange(arrangement, count),
    rows: async (from, count) => view.rows(from, count),
    text: async (format) => view.text(format),
    close: () => undefined,
  };
}

/** The table in a document, held by a worker of its own; `null` where it is none. */
export async function tableInWorker(
  backend: Backend,
  source: DocumentSource,
  start = () => new Worker(new URL("./tableWorker.ts", import.meta.url), { type: "module" }),
): Promise<TableEngine | null> {
  const bytes = await backend.readBytes(source);
  if (bytes.byteLength > MOST_TABLE_BYTES || !mayBeTable(bytes)) return null;
  const calls = new WorkerCalls<TableFunctions>(start(), TIME_LIMIT);
  const head = await calls.call("open", [bytes], [bytes]).catch(() => null);
  if (!head) {
    calls.close();
    return null;
  }
  return {
    head,
    arrange: (arrangement, count) => calls.call("arrange", [arrangement, count]),
    rows: (from, count) => calls.call("rows", [from, count]),
    text: (format) => calls.call("text", [format]),
    close: () => calls.close(),
  };
}

/** Returns true if the text starts like an object or an array. */
function mayBeTable(bytes: ArrayBuffer): boolean {
  const start = new TextDecoder().decode(bytes.slice(0, 64)).trimStart();
  return start.startsWith("[") || start.startsWith("{");
}
