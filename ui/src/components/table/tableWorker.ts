/** Worker that holds one large table. */
import { serveCalls } from "../../lib/workerCalls";
import { tableIn, type Arrangement, type TableHead, type TableView } from "./tableView";
import type { TableFormat } from "./tableText";

let view: TableView | null = null;

function open(bytes: ArrayBuffer): TableHead | null {
  view = tableIn(new TextDecoder().decode(bytes));
  return view?.head ?? null;
}

const functions = {
  open,
  arrange: (arrangement: Arrangement, count: number) => view?.arrange(arrangement, count) ?? { rows: 0, first: [] },
  rows: (from: number, count: number) => view?.rows(from, count) ?? [],
  cell: (row: number, column: number) => view?.cell(row, column) ?? null,
  text: (format: TableFormat) => view?.text(format) ?? { text: "", guarded: 0 },
};

export type TableFunctions = typeof functions;

serveCalls(functions);
