import { ArrowDown, ArrowUp } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useRowWindow } from "../../../components/rows/useRowWindow";
import { VirtualRows } from "../../../components/rows/VirtualRows";
import { cx } from "../../../lib/cx";
import { cellText, columnWidths, isNumeric, sortRows, type Sorting, type TableData, type TableRow } from "./table";
import styles from "./result.module.css";

const ROW_HEIGHT = 24;
const HEAD_HEIGHT = 26;
const MOST_HEIGHT = 420;

/** Rows of flat objects. Values are as the server wrote them. */
export function ResultTable({ table }: { readonly table: TableData }): ReactNode {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const rows = sortRows(table.rows, sorting);
  const widths = columnWidths(table);
  const list = useRowWindow(rows.length, { rowHeight: ROW_HEIGHT, overscan: 8, inset: HEAD_HEIGHT });
  // The last column takes what is left, so that the others stay close together.
  const columns = widths
    .map((width, i) => (i === widths.length - 1 ? `minmax(${width + 3}ch, 1fr)` : `${width + 3}ch`))
    .join(" ");
  const numeric = new Set(table.columns.filter((column) => isNumeric(table, column)));

  const sortBy = (column: string): void => {
    if (sorting?.column !== column) setSorting({ column, down: false });
    else setSorting(sorting.down ? null : { column, down: true });
  };

  return (
    <>
      {table.beside.length > 0 && (
        <dl className={styles.beside}>
          {table.beside.map(({ key, value }) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{cellText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <VirtualRows
        list={list}
        wide
        className={styles.tableScroller}
        style={{ height: Math.min(rows.length * ROW_HEIGHT + HEAD_HEIGHT + 14, MOST_HEIGHT) }}
        role="table"
        aria-label={table.member ?? "Structured content"}
        aria-rowcount={rows.length + 1}
        aria-colcount={table.columns.length}
        rowsRole="rowgroup"
        head={
          <div className={styles.tableHead} role="row" aria-rowindex={1} style={{ gridTemplateColumns: columns }}>
            {table.columns.map((column) => {
              const on = sorting?.column === column;
              return (
                <span
                  key={column}
                  role="columnheader"
                  aria-sort={on ? (sorting.down ? "descending" : "ascending") : "none"}
                  className={cx(styles.headCell, numeric.has(column) && styles.numericHead)}
                >
                  <button type="button" data-focus="inset" onClick={() => sortBy(column)}>
                    {column}
                    {on && (sorting.down ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />)}
                  </button>
                </span>
              );
            })}
          </div>
        }
        row={(place) => (
          <Row row={rows[place]} place={place} columns={table.columns} numeric={numeric} template={columns} />
        )}
      />
    </>
  );
}

function Row(props: {
  readonly row: TableRow | undefined;
  readonly place: number;
  readonly columns: readonly string[];
  readonly numeric: ReadonlySet<string>;
  readonly template: string;
}): ReactNode {
  const { row, place, columns, numeric, template } = props;
  return (
    <div className={styles.tableRow} role="row" aria-rowindex={place + 2} style={{ gridTemplateColumns: template }}>
      {columns.map((column) => {
        const value = row?.cells.get(column);
        const text = cellText(value);
        return (
          <span
            key={column}
            role="cell"
            className={cx(styles.cell, numeric.has(column) && styles.numeric, value === undefined && "note")}
            title={text.length > 24 ? text : undefined}
          >
            {value === undefined ? "–" : text}
          </span>
        );
      })}
    </div>
  );
}
