import { cut } from "../../lib/cut";
import { nodeIn } from "../../schema/parse";
import {
  cellText,
  columnWidths,
  filterRows,
  isNumeric,
  longestTexts,
  sortRows,
  tableOf,
  type Sorting,
  type TableData,
  type TableRow,
} from "./table";
import { tableText, wholeCell, type TableFormat, type TableText } from "./tableText";

/** Shape of a table, known before its rows are read. */
export interface TableHead {
  /** Member that holds the rows; `null` for the root. */
  readonly member: string | null;
  readonly columns: readonly string[];
  /** Width of each column, in characters. */
  readonly widths: readonly number[];
  /** Longest texts among the first rows of each column: one of them is the widest when rendered. */
  readonly longest: readonly (readonly string[])[];
  /** Columns that hold only numbers. */
  readonly numeric: readonly boolean[];
  readonly rows: number;
  readonly beside: readonly { readonly key: string; readonly text: string }[];
}

export interface Arrangement {
  readonly sorting: Sorting | null;
  /** Words that the rows contain. */
  readonly search: string;
}

/** Cells of a row as shown; `null` for a missing cell. */
export type CellTexts = readonly (string | null)[];

export interface Arranged {
  readonly rows: number;
  readonly first: readonly CellTexts[];
}

/** Sorted and filtered view of a table, read by index. */
export class TableView {
  readonly head: TableHead;
  readonly #table: TableData;
  #rows: readonly TableRow[];

  constructor(table: TableData) {
    this.#table = table;
    this.#rows = table.rows;
    this.head = {
      member: table.member,
      columns: table.columns,
      widths: columnWidths(table),
      longest: longestTexts(table),
      numeric: table.columns.map((column) => isNumeric(table, column)),
      rows: table.rows.length,
      beside: table.beside.map(({ key, value }) => ({ key, text: cellText(value) })),
    };
  }

  /** Sorts and filters; returns the first `count` rows. */
  arrange({ sorting, search }: Arrangement, count: number): Arranged {
    this.#rows = sortRows(filterRows(this.#table, search), sorting);
    return { rows: this.#rows.length, first: this.rows(0, count) };
  }

  rows(from: number, count: number): readonly CellTexts[] {
    return this.#rows.slice(from, from + count).map(({ cells }) =>
      this.#table.columns.map((column) => {
        const value = cells.get(column);
        // Limit of text in one line of a cell.
        return value === undefined ? null : cut(cellText(value), 500);
      }),
    );
  }

  /** Returns all of a cell; `null` for a missing one. */
  cell(row: number, column: number): string | null {
    const value = this.#rows[row]?.cells.get(this.#table.columns[column] ?? "");
    return value === undefined ? null : wholeCell(value);
  }

  /** Formats all columns of the visible rows. */
  text(format: TableFormat): TableText {
    return tableText(this.#table.columns, this.#rows, format);
  }
}

/** Returns the table in a JSON text; `null` if there is none. */
export function tableIn(json: string): TableView | null {
  const node = nodeIn(json);
  const table = node && tableOf(node);
  return table ? new TableView(table) : null;
}
