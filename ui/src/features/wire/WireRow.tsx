import { memo, type ReactNode } from "react";

import type { LogRow, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { bytes, clockTime, duration } from "../../lib/format";
import { subjectMark, type Subject } from "../../state/view";
import { CAUSE_WORDS, directionWord, KIND_WORDS, sinceText } from "./words";
import styles from "./wire.module.css";

export interface WireRowProps {
  readonly server: ServerId;
  readonly row: LogRow | undefined;
  readonly index: number;
  readonly id: string;
  readonly selected: boolean;
  /** For times relative to it; `null` for the time of day. */
  readonly origin: number | null;
}

/** One entry of the log. Clicks are handled by the list, through `data-row`. */
export const WireRow = memo(function WireRow({ server, row, index, id, selected, origin }: WireRowProps): ReactNode {
  if (!row) {
    return (
      <div className={styles.row} role="row" aria-rowindex={index + 2} data-row={index}>
        <span role="gridcell" className="note">
          …
        </span>
      </div>
    );
  }
  const direction = directionWord(row);
  return (
    <div
      className={cx(styles.row, selected && styles.selected)}
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-row={index}
      {...subjectMark(subjectOf(server, row))}
    >
      <span role="gridcell" className={cx(styles.arrow, row.out && styles.out)} title={direction}>
        <span aria-hidden="true">{direction === "Local" ? "•" : row.out ? "→" : "←"}</span>
        <span className="visuallyHidden">{direction}</span>
      </span>
      <span role="gridcell" className={styles.time}>
        {origin === null ? clockTime(row.at) : sinceText(row.at, origin)}
      </span>
      <span role="gridcell" className={cx(styles.kind, row.kind === "error" && styles.bad, isOdd(row) && styles.warn)}>
        {KIND_WORDS[row.kind]}
      </span>
      <span role="gridcell" className={styles.method}>
        {row.method ?? ""}
        {row.cause !== null && <span className={styles.cause}> {CAUSE_WORDS[row.cause]}</span>}
      </span>
      <span role="gridcell" className={styles.rpcId}>
        {row.id ?? ""}
      </span>
      <span role="gridcell" className={styles.size}>
        {bytes(row.bytes)}
      </span>
      <span role="gridcell" className={styles.latency}>
        {row.micros === null ? "" : duration(row.micros)}
      </span>
      <span role="gridcell" className={styles.preview}>
        {row.preview}
      </span>
      <span role="gridcell" className={styles.findings}>
        {row.findings > 0 && (
          <>
            <span aria-hidden="true">⚠ {row.findings}</span>
            <span className="visuallyHidden">{row.findings === 1 ? "1 issue" : `${row.findings} issues`}</span>
          </>
        )}
      </span>
    </div>
  );
});

function subjectOf(server: ServerId, { seq, kind, out, bytes, operation, partner }: LogRow): Subject {
  return { type: "entry", server, seq, kind, out, bytes, operation, partner };
}

function isOdd(row: LogRow): boolean {
  return row.kind === "invalid" || row.kind === "noise";
}
