import type { ReactNode } from "react";

import { Empty } from "../../../components/Empty";
import { Marked } from "../../../components/Marked";
import { usePagedRows } from "../../../components/rows/usePagedRows";
import { VirtualList } from "../../../components/rows/VirtualList";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import type { WorkerCalls } from "../../../lib/workerCalls";
import type { ComparisonHead } from "./comparison";
import type { CompareFunctions } from "./compareWorker";
import type { LineRow } from "../../../schema/difference/lineDifference";
import styles from "./compare.module.css";

export interface LineListProps {
  readonly calls: WorkerCalls<CompareFunctions>;
  readonly lines: ComparisonHead["lines"];
  /** Both sides have a result. */
  readonly results: boolean;
  /** Index of the current difference. */
  readonly current: number;
  readonly onCurrent: (difference: number) => void;
}

/** Lines of both texts around their differences. */
export function LineList({ calls, lines, results, current, onCurrent }: LineListProps): ReactNode {
  const { row, onRange } = usePagedRows<LineRow>(lines.rows, (from, rows) => calls.call("lines", [from, rows]));
  if (lines.rows === 0) {
    return (
      <Empty title="No differences">{results ? "The text of the results is the same." : "No result to compare."}</Empty>
    );
  }
  const place = lines.places[current] ?? 0;
  return (
    <VirtualList
      label="Lines"
      count={lines.rows}
      rowHeight={20}
      selected={place}
      onSelect={(index) => {
        const after = lines.places.findLastIndex((each) => each <= index);
        onCurrent(Math.max(0, after));
      }}
      onRange={onRange}
      scrollTo={{ index: place, token: place }}
      render={(index) => <Row row={row(index)} />}
    />
  );
}

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const SIGN_WORDS = { same: "", removed: "removed: ", added: "added: " } as const;

function Row({ row }: { readonly row: LineRow | undefined }): ReactNode {
  if (!row) return null;
  if (row.kind === "gap") return <div className={styles.gap}>{count(row.lines, "equal line", "equal lines")}</div>;
  return (
    <div className={cx(styles.line, row.kind !== "same" && styles[row.kind])}>
      <span className={styles.lineNumber}>{row.left}</span>
      <span className={styles.lineNumber}>{row.right}</span>
      <span aria-hidden>{SIGNS[row.kind]} </span>
      <span className="visuallyHidden">{SIGN_WORDS[row.kind]}</span>
      <span>
        <Marked text={row.text} lines />
      </span>
    </div>
  );
}
