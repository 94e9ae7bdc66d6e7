import { Copy } from "lucide-react";
import { useRef, useState, type CSSProperties, type ReactNode } from "react";

import { offerItems } from "../contextItems";
import { Menu } from "../Menu";
import { rowOf } from "../rows/rowInput";
import { useRowWindow } from "../rows/useRowWindow";
import { VirtualRows } from "../rows/VirtualRows";
import { SearchField } from "../SearchField";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import { inWords } from "../../lib/inWords";
import { useActions } from "../../state/hooks";
import { totalWords, wholeRows } from "./plainColumns";
import { Sideways } from "./Sideways";
import type { Sorting } from "./table";
import type { TableEngine } from "./tableEngine";
import { TableHeadRow } from "./TableHeadRow";
import type { TableFormat } from "./tableText";
import type { CellTexts, TableHead } from "./tableView";
import { useArrangedRows } from "./useArrangedRows";
import { useHiddenColumns } from "./useHiddenColumns";
import { scrollBar, usePlainColumns } from "./usePlainColumns";
import styles from "./table.module.css";

const ROW_HEIGHT = 24;
/** Height in px of the line below the header, which is part of it. */
const HEAD_LINE = 2;
/** Room for a horizontal scroll bar when there are few rows, in px. */
const SLACK = 14;

/** Minimum height in px of a shrinking row, so that a finger can hit it. */
const LEAST_ROW_HEIGHT = 36;

/** Number of rows from which a table can be searched. */
const SEARCHED_FROM = 10;

export interface ResultTableProps {
  readonly engine: TableEngine;
  /** Row height in px. */
  readonly rowHeight?: number;
  /** For people who do not program: names in words, and no copying. */
  readonly plain?: boolean;
  /** Maximum height in px of a plain table, which shrinks its text to fit; otherwise the style sheet sets it. */
  readonly height?: number;
}

/** Rows of flat objects, sorted and filtered on request. Values stay as the server wrote them. */
export function ResultTable(props: ResultTableProps): ReactNode {
  const { engine, rowHeight: fullHeight = ROW_HEIGHT, plain = false, height } = props;
  const { head } = engine;
  const frame = useRef<HTMLDivElement>(null);
  const fitted = usePlainColumns({ frame, head, rowHeight: fullHeight, height: plain ? height : undefined });
  const share = fitted?.share ?? 1;
  const rowHeight = Math.max(Math.min(fullHeight, LEAST_ROW_HEIGHT), Math.round(fullHeight * share));
  const headHeight = rowHeight + HEAD_LINE;
  const actions = useActions();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [search, setSearch] = useState("");
  const [widths, setWidths] = useState<Readonly<Record<number, number>>>({});
  const arranged = useArrangedRows(engine, { sorting, search });
  const list = useRowWindow(arranged.rows, {
    rowHeight,
    inset: headHeight,
    onRange: arranged.onRange,
  });

  const columns = template(head, widths, plain ? (fitted?.columns ?? []) : null);
  const hidden = useHiddenColumns(list.scroller, columns);
  const searchable = !plain || head.rows > SEARCHED_FROM;
  const overflows = hidden.left + hidden.right > 0;
  // The scroll bar is placed below the last visible row, never over it.
  const bar = overflows ? Math.max(scrollBar(), SLACK) : 0;

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
        <dl className={styles.beside} data-quoted>
          {head.beside.map(({ key, text }, index) => (
            <div key={index}>
              <dt>{plain ? inWords(key) : key}</dt>
              <dd>{(plain ? totalWords(key, text, head.rows) : null) ?? text}</dd>
            </div>
          ))}
        </dl>
      )}
      <div
        ref={frame}
        className={cx(
          "box positioned clipped",
          hidden.left > 0 && styles.moreLeft,
          hidden.right > 0 && styles.moreRight,
        )}
      >
        {(!plain || searchable || overflows) && (
          <div className={styles.tableTools}>
            {searchable && (
              <SearchField
                label="Filter rows"
                value={search}
                onChange={setSearch}
                hits={search === "" ? undefined : `${number(arranged.rows)} of ${number(head.rows)}`}
              />
            )}
            <Sideways small={!plain} scroller={list.scroller} hidden={hidden} />
            {!plain && (
              <Menu
                small
                icon={Copy}
                label="Copy table"
                items={[
                  { label: "Copy as CSV", onSelect: () => copy("csv") },
                  { label: "Copy as TSV", onSelect: () => copy("tsv") },
                ]}
              />
            )}
          </div>
        )}
        <VirtualRows
          list={list}
          wide
          className={cx("small", plain && styles.plain)}
          style={
            {
              // Computed from all rows, so that filtering moves nothing below.
              height:
                plain && height !== undefined
                  ? wholeRows(head.rows, list.rowHeight, headHeight, height - bar) + bar
                  : `min(${head.rows * list.rowHeight + headHeight + SLACK}px, var(--document-height, max(420px, 60vh)))`,
              "--share": share,
              "--columns": columns,
              "--head-height": `${headHeight}px`,
            } as CSSProperties
          }
          data-quoted
          onContextMenu={(event) => {
            const [row, column] = [rowOf(event), columnOf(event.target)];
            if (plain || row === null || column === null || typeof arranged.row(row)?.[column] !== "string") return;
            const copyCell = (): void => {
              const text = engine.cell(row, column).then((cell) => cell ?? "");
              void actions.copy(text, "Value copied");
            };
            offerItems(event.nativeEvent, [{ label: "Copy value", icon: Copy, onSelect: copyCell }]);
          }}
          role="table"
          aria-label={head.member === null ? "Rows" : plain ? inWords(head.member) : head.member}
          aria-rowcount={arranged.rows + 1}
          aria-colcount={head.columns.length}
          rowsRole="rowgroup"
          head={<TableHeadRow head={head} plain={plain} sorting={sorting} onSort={sortBy} onResize={resize} />}
          row={(place) => <Row cells={arranged.row(place)} place={place} head={head} plain={plain} />}
        >
          {plain && overflows && scrollBar() === 0 && (
            <div data-under-bar className="sticky layer1 bottom0 left0 onPage" style={{ height: bar }} />
          )}
          {arranged.rows === 0 && !arranged.failed && (
            <p className="sticky left0 padS2 muted fitWidth">No row matches.</p>
          )}
          {arranged.failed && (
            <p className="sticky left0 padS2 muted fitWidth" role="status">
              This takes too long as a table.{!plain && " Show it as JSON."}
            </p>
          )}
        </VirtualRows>
      </div>
    </>
  );
}

/**
 * The last column takes the remaining width, so that the others stay close together. In a plain table all columns have
 * their `fitted` widths.
 */
function template(head: TableHead, widths: Readonly<Record<number, number>>, fitted: readonly number[] | null): string {
  return head.columns
    .map((_, index) => {
      const own = widths[index];
      const width = own === undefined ? `calc(${head.widths[index] ?? 4}ch + 24px)` : `${own}px`;
      if (fitted) return own === undefined && fitted[index] !== undefined ? `${fitted[index]}px` : width;
      // A few pixels of the width are spare, and can be given up before the table has to scroll.
      if (own === undefined) {
        const least = `calc(${head.widths[index] ?? 4}ch + 16px)`;
        return `minmax(${least}, ${index === head.columns.length - 1 ? "1fr" : width})`;
      }
      return index === head.columns.length - 1 ? `minmax(${width}, 1fr)` : width;
    })
    .join(" ");
}

function Row(props: {
  readonly cells: CellTexts | undefined;
  readonly place: number;
  readonly head: TableHead;
  readonly plain: boolean;
}): ReactNode {
  const { cells, place, head, plain } = props;
  return (
    <div className={styles.tableRow} role="row" aria-rowindex={place + 2} data-row={place}>
      {head.columns.map((column, index) => {
        const text = cells?.[index];
        const missing = text === undefined || text === null;
        return (
          <span
            key={column}
            role="cell"
            className={cx(
              styles.cell,
              head.numeric[index] && "digits rightText",
              missing && "note",
              text === "" && !plain && styles.emptyText,
            )}
            // In a plain table, only for cut text: a tooltip covers other rows.
            data-tip={!missing && text.length > (plain ? (head.widths[index] ?? 0) : 12) ? text : undefined}
          >
            {missing ? (cells ? "–" : "") : plain ? plainCell(text) : text}
          </span>
        );
      })}
    </div>
  );
}

/** Returns the column of the cell under the pointer. */
function columnOf(target: EventTarget): number | null {
  const cell = target instanceof Element ? target.closest("[role=cell]") : null;
  return cell?.parentElement ? [...cell.parentElement.children].indexOf(cell) : null;
}

/** Translates JSON literals for people who do not read JSON. */
function plainCell(text: string): string {
  return { true: "Yes", false: "No", null: "–" }[text] ?? text;
}
