import { ArrowDown, ArrowUp } from "lucide-react";
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import { cx } from "../../lib/cx";
import { inWords } from "../../lib/inWords";
import { listen } from "../../lib/listen";
import type { Sorting } from "./table";
import type { TableHead } from "./tableView";
import styles from "./table.module.css";

/** Minimum and maximum width of a column, and the keyboard's step, in px. */
const LEAST_WIDTH = 40;
const MOST_WIDTH = 2_000;
const STEP = 16;

export interface TableHeadRowProps {
  readonly head: TableHead;
  readonly plain: boolean;
  readonly sorting: Sorting | null;
  readonly onSort: (column: string) => void;
  /** Sets the width of a column in px; `null` restores the initial one. */
  readonly onResize: (column: number, width: number | null) => void;
}

/** Column titles: they sort the table, and have handles that change the widths. */
export function TableHeadRow({ head, plain, sorting, onSort, onResize }: TableHeadRowProps): ReactNode {
  // One tab stop; arrow keys move from title to title.
  const [stop, setStop] = useState(0);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, column: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const cell = event.currentTarget.closest<HTMLElement>("[role=columnheader]");
    if (event.shiftKey) {
      if (step === undefined || !cell) return;
      event.preventDefault();
      onResize(column, within(cell.offsetWidth + step * STEP));
      return;
    }
    const to = step !== undefined ? column + step : { Home: 0, End: head.columns.length - 1 }[event.key];
    if (to === undefined) return;
    // Also at both ends, where an arrow key must not do anything else.
    event.preventDefault();
    const title = cell?.parentElement?.children[to]?.querySelector("button");
    if (!title) return;
    setStop(to);
    title.focus();
  };

  return (
    <div className={styles.tableHead} role="row" aria-rowindex={1}>
      {head.columns.map((column, index) => {
        const on = sorting?.column === column;
        return (
          <span
            key={column}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={on ? (sorting.down ? "descending" : "ascending") : "none"}
            className={cx(styles.headCell, head.numeric[index] && styles.numericHead)}
          >
            <button
              type="button"
              data-focus="inset"
              tabIndex={index === stop ? 0 : -1}
              data-tip={plain ? undefined : column}
              aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
              onFocus={() => setStop(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onClick={() => onSort(column)}
            >
              <span className="ellipsis">{column === "" ? '""' : plain ? inWords(column) : column}</span>
              {on && (sorting.down ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />)}
            </button>
            <Handle
              onWidth={(width) => onResize(index, within(width))}
              onReset={() => onResize(index, null)}
              label={plain ? undefined : `Drag to resize ${column}, double-click to reset`}
            />
          </span>
        );
      })}
    </div>
  );
}

/** Handle for the pointer; with the keyboard, the title itself changes the width. */
function Handle(props: {
  readonly onWidth: (width: number) => void;
  readonly onReset: () => void;
  readonly label: string | undefined;
}): ReactNode {
  const { onWidth, onReset, label } = props;
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const from = event.clientX;
    const before = handle.parentElement?.offsetWidth ?? 0;
    const onMove = ({ clientX }: globalThis.PointerEvent): void => onWidth(before + clientX - from);
    const onEnd = (): void => end();
    handle.setPointerCapture(event.pointerId);
    const over = { pointerup: onEnd, pointercancel: onEnd, lostpointercapture: onEnd };
    const end = listen(handle, { pointermove: onMove, ...over });
  };
  return (
    <span
      className={styles.handle}
      aria-hidden
      data-tip={label}
      onPointerDown={onPointerDown}
      onDoubleClick={onReset}
    />
  );
}

function within(width: number): number {
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width)));
}
