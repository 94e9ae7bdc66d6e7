import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { useRowWindow } from "../../../components/viewer/useRowWindow";
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
  const { window, view } = useRowWindow(rows.length, ROW_HEIGHT, 8, HEAD_HEIGHT);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => (scroller.current ? window.attach(scroller.current) : undefined), [window]);
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
      <div
        ref={scroller}
        className={styles.tableScroller}
        style={{ height: Math.min(rows.length * ROW_HEIGHT + HEAD_HEIGHT + 14, MOST_HEIGHT) }}
        tabIndex={0}
        data-focus="inset"
        role="table"
        aria-label={table.member ?? "Structured content"}
        aria-rowcount={rows.length + 1}
        aria-colcount={table.columns.length}
      >
        <div className={styles.tableInside} role="presentation">
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
          <div className={styles.tableLayer} role="rowgroup" data-row-layer="" style={{ height: view.height }}>
            <div className={styles.tableRows} role="presentation" style={{ transform: `translateY(${view.top}px)` }}>
              {rows.slice(view.from, view.to).map((row, i) => (
                <Row
                  key={row.index}
                  row={row}
                  place={view.from + i}
                  columns={table.columns}
                  numeric={numeric}
                  template={columns}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

function Row(props: {
  readonly row: TableRow;
  readonly place: number;
  readonly columns: readonly string[];
  readonly numeric: ReadonlySet<string>;
  readonly template: string;
}): ReactNode {
  const { row, place, columns, numeric, template } = props;
  return (
    <div className={styles.tableRow} role="row" aria-rowindex={place + 2} style={{ gridTemplateColumns: template }}>
      {columns.map((column) => {
        const value = row.cells.get(column);
        const text = cellText(value);
        return (
          <span
            key={column}
            role="cell"
            className={cx(styles.cell, numeric.has(column) && styles.numeric, value === undefined && styles.faint)}
            title={text.length > 24 ? text : undefined}
          >
            {value === undefined ? "–" : text}
          </span>
        );
      })}
    </div>
  );
}
