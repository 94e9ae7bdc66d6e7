import { Copy } from "lucide-react";
import { useState, type CSSProperties, type ReactNode } from "react";

import { Menu } from "../../../components/Menu";
import { useRowWindow } from "../../../components/rows/useRowWindow";
import { VirtualRows } from "../../../components/rows/VirtualRows";
import { SearchField } from "../../../components/SearchField";
import { cx } from "../../../lib/cx";
import { count, number } from "../../../lib/format";
import { useActions } from "../../../state/hooks";
import type { Sorting } from "./table";
import type { TableEngine } from "./tableEngine";
import { TableHeadRow } from "./TableHeadRow";
import type { TableFormat } from "./tableText";
import type { CellTexts, TableHead } from "./tableView";
import { useArrangedRows } from "./useArrangedRows";
import styles from "./result.module.css";

const ROW_HEIGHT = 24;
const HEAD_HEIGHT = 26;
/** Room for a horizontal scroll bar under few rows, in px. */
const SLACK = 14;

/** Rows of flat objects, sorted and filtered on request. Values are as the server wrote them. */
export function ResultTable({ engine }: { readonly engine: TableEngine }): ReactNode {
  const { head } = engine;
  const actions = useActions();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [search, setSearch] = useState("");
  const [widths, setWidths] = useState<Readonly<Record<number, number>>>({});
  const arranged = useArrangedRows(engine, { sorting, search });
  const list = useRowWindow(arranged.rows, {
    rowHeight: ROW_HEIGHT,
    overscan: 8,
    inset: HEAD_HEIGHT,
    onRange: arranged.onRange,
  });

  const sortBy = (column: string): void => {
    if (sorting?.column !== column) setSorting({ column, down: false });
    else setSorting(sorting.down ? null : { column, down: true });
  };
  const resize = (column: number, width: number | null): void => {
    const { [column]: _, ...others } = widths;
    setWidths(width === null ? others : { ...others, [column]: width });
  };
  const copy = (format: TableFormat): void => {
    const text = engine.text(format);
    void actions.copy(
      text.then((table) => table.text),
      async () => {
        const { guarded } = await text;
        const done = `${count(arranged.rows, "row", "rows")} copied as ${format.toUpperCase()}`;
        return guarded === 0
          ? done
          : `${done}; ${count(guarded, "cell begins", "cells begin")} with ' so that no spreadsheet runs it as a formula`;
      },
    );
  };

  return (
    <>
      {head.beside.length > 0 && (
        <dl className={styles.beside}>
          {head.beside.map(({ key, text }, index) => (
            <div key={index}>
              <dt>{key}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.table}>
        <div className={styles.tableTools}>
          <SearchField
            label="Filter rows"
            value={search}
            onChange={setSearch}
            hits={search === "" ? undefined : `${number(arranged.rows)} of ${number(head.rows)}`}
          />
          <Menu
            small
            icon={Copy}
            label="Copy table"
            items={[
              { label: "Copy as CSV", onSelect: () => copy("csv") },
              { label: "Copy as TSV", onSelect: () => copy("tsv") },
            ]}
          />
        </div>
        <VirtualRows
          list={list}
          wide
          className={styles.tableScroller}
          style={
            {
              // Of all rows: a filter moves nothing below.
              height: `min(${head.rows * ROW_HEIGHT + HEAD_HEIGHT + SLACK}px, var(--document-height, max(420px, 60vh)))`,
              "--columns": template(head, widths),
            } as CSSProperties
          }
          role="table"
          aria-label={head.member ?? "Rows"}
          aria-rowcount={arranged.rows + 1}
          aria-colcount={head.columns.length}
          rowsRole="rowgroup"
          head={<TableHeadRow head={head} sorting={sorting} onSort={sortBy} onResize={resize} />}
          row={(place) => <Row cells={arranged.row(place)} place={place} head={head} />}
        >
          {arranged.rows === 0 && !arranged.failed && <p className={styles.noRows}>No row matches.</p>}
          {arranged.failed && (
            <p className={styles.noRows} role="status">
              This takes too long as a table. Show it as JSON.
            </p>
          )}
        </VirtualRows>
      </div>
    </>
  );
}

/** The last column takes what is left, so that the others stay close together. */
function template(head: TableHead, widths: Readonly<Record<number, number>>): string {
  return head.columns
    .map((_, index) => {
      const own = widths[index];
      const width = own === undefined ? `calc(${head.widths[index] ?? 4}ch + 24px)` : `${own}px`;
      return index === head.columns.length - 1 ? `minmax(${width}, 1fr)` : width;
    })
    .join(" ");
}

function Row(props: {
  readonly cells: CellTexts | undefined;
  readonly place: number;
  readonly head: TableHead;
}): ReactNode {
  const { cells, place, head } = props;
  return (
    <div className={styles.tableRow} role="row" aria-rowindex={place + 2}>
      {head.columns.map((column, index) => {
        const text = cells?.[index];
        const missing = text === undefined || text === null;
        return (
          <span
            key={column}
            role="cell"
            className={cx(styles.cell, head.numeric[index] && styles.numeric, missing && "note")}
            title={!missing && text.length > 12 ? text : undefined}
          >
            {missing ? (cells ? "–" : "") : text}
          </span>
        );
      })}
    </div>
  );
}
