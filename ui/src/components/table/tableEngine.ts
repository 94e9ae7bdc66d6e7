import type { Backend } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { WorkerCalls } from "../../lib/workerCalls";
import { tableIn, type Arranged, type Arrangement, type CellTexts, type TableHead } from "./tableView";
import type { TableFormat, TableText } from "./tableText";
import type { TableFunctions } from "./tableWorker";

/** Bytes above which documents are not searched for tables, as the window would hold them many times over. */
export const MOST_TABLE_BYTES = 8 * 1024 * 1024;
/** Milliseconds for any operation on a table. */
const TIME_LIMIT = 15_000;

/** A table, held in the page or in a worker. */
export interface TableEngine {
  readonly head: TableHead;
  arrange(arrangement: Arrangement, count: number): Promise<Arranged>;
  rows(from: number, count: number): Promise<readonly CellTexts[]>;
  cell(row: number, column: number): Promise<string | null>;
  text(format: TableFormat): Promise<TableText>;
  close(): void;
}

/** Returns the table in a short JSON text, held in the page; `null` if there is none. */
export function tableHere(json: string): TableEngine | null {
  const view = tableIn(json);
  if (!view) return null;
  return {
    head: view.head,
    arrange: async (arrangement, count) => view.arrange(arrangement, count),
    rows: async (from, count) => view.rows(from, count),
    cell: async (row, column) => view.cell(row, column),
    text: async (format) => view.text(format),
    close: () => undefined,
  };
}

/** Returns the table in a document, held by its own worker; `null` if there is none. */
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
    cell: (row, column) => calls.call("cell", [row, column]),
    text: (format) => calls.call("text", [format]),
    close: () => calls.close(),
  };
}

/** Returns true if the text starts like an object or an array. */
function mayBeTable(bytes: ArrayBuffer): boolean {
  const start = new TextDecoder().decode(bytes.slice(0, 64)).trimStart();
  return start.startsWith("[") || start.startsWith("{");
}
