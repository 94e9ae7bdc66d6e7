import { ArrowDown, Ban, ChevronDown, ChevronRight, CircleAlert } from "lucide-react";
import { memo, type ReactNode } from "react";

import { SEVERITY_WORDS } from "../../components/severities";
import type { LogRow, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, duration, number } from "../../lib/format";
import { escapesOf } from "../../lib/visible";
import { LEVELS, subjectMark, type Subject } from "../../state/view";
import styles from "./wire.module.css";
import {
  CAUSE_WORDS,
  directionWord,
  isAnswered,
  KIND_WORDS,
  NO_RESPONSE_WORDS,
  shortBytes,
  shortId,
  shownBy,
  sinceText,
  spanOf,
} from "./wireWords";

export interface WireRowProps {
  readonly server: ServerId;
  readonly row: LogRow | undefined;
  readonly index: number;
  readonly id: string;
  readonly selected: boolean;
  /** First row of another connection than the row above. */
  readonly begins: boolean;
  /** Shows times since the start of the connection instead of times of day. */
  readonly relative: boolean;
  /** Names the rule of the row's worst finding. */
  readonly named: boolean;
  /** Range of the timeline, in ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** One log entry, or one row for several. The list handles clicks, by `data-row` and `data-act`. */
export const WireRow = memo(function WireRow(props: WireRowProps): ReactNode {
  const { server, row, index, id, selected, begins, relative, named, from, to } = props;
  if (!row) {
    return (
      <div className={styles.row} role="row" aria-rowindex={index + 2} data-row={index}>
        <span role="gridcell" className="note">
          …
        </span>
      </div>
    );
  }
  const { group } = row;
  // The row has the time of the first entry and the text of the last.
  const until = !group || group.open || group.http !== null ? "" : ` until ${timeText(group.until, row, relative)}`;
  const direction = directionWord(row);
  const answered = isAnswered(row);
  const worst = SEVERITY_WORDS[row.severity ?? "info"];
  const Worst = worst.icon;
  return (
    <div
      className={cx(styles.row, selected && styles.selected, begins && styles.begins)}
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-row={index}
      data-kind={row.kind}
      data-error={row.error ? "" : undefined}
      data-severity={row.severity ?? undefined}
      {...subjectMark(subjectOf(server, row))}
    >
      <span role="gridcell" className={cx(styles.arrow, row.out && styles.out)} data-tip={direction}>
        <span aria-hidden="true">{direction === "Local" ? "•" : row.out ? "→" : "←"}</span>
        <span className="visuallyHidden">{direction}</span>
      </span>
      <span role="gridcell" className={styles.time}>
        {timeText(row.at, row, relative)}
      </span>
      <span role="gridcell" className={styles.kind} data-tip={KIND_WORDS[row.kind]}>
        {row.error && <CircleAlert size={12} className={styles.errorIcon} aria-label="Error:" />}
        <span className={styles.kindWord}>{KIND_WORDS[row.kind]}</span>
      </span>
      <span role="gridcell" className={styles.method} data-tip={row.method ?? undefined}>
        {row.method ?? ""}
        {row.cause !== null && <span className={styles.cause}> {CAUSE_WORDS[row.cause]}</span>}
      </span>
      <span role="gridcell" className={styles.rpcId} data-tip={row.id ?? undefined}>
        {row.id !== null && shortId(row.id)}
      </span>
      <span role="gridcell" className={styles.size}>
        {shortBytes(row.bytes)}
      </span>
      <span role="gridcell" className={styles.latency}>
        {row.micros !== null && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.toPartner}
            data-act="partner"
            data-tip={answered ? `Answered after ${duration(row.micros)}: go to response (J)` : "Go to request (J)"}
          >
            {answered && (
              <>
                <ArrowDown size={12} aria-hidden />
                <span className="visuallyHidden">Answered after </span>
              </>
            )}
            {duration(row.micros)}
          </button>
        )}
        {row.no_response !== null && (
          <span data-tip={NO_RESPONSE_WORDS[row.no_response]}>
            <Ban size={12} aria-label={NO_RESPONSE_WORDS[row.no_response]} />
          </span>
        )}
      </span>
      <span role="gridcell" className={styles.preview} data-tip={escapesOf(row.summary ?? row.preview)}>
        {begins && (
          <span className="marginRightS2 textFont strong accent">New connection at {clockTime(row.began)}</span>
        )}
        {group && (
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={group.open}
            className={styles.group}
            data-act="group"
            data-tip={`${number(group.entries)} entries${until}: ${group.open ? "collapse" : "expand"} (${group.open ? "←" : "→"})`}
          >
            {group.open ? <ChevronDown size={12} aria-hidden /> : <ChevronRight size={12} aria-hidden />}
            {group.http === null ? (
              <>
                {number(group.entries)}×<span className={styles.until}>{until}</span>
              </>
            ) : (
              <>
                <span className="ellipsis">{group.http}</span>
                {group.status !== null && (
                  <span className={cx("rigid", group.status >= 400 && "bad")}> {group.status}</span>
                )}
              </>
            )}
          </button>
        )}
        {named && row.rule !== null && (
          <code className="marginRightS2 warn">
            {row.rule}
            {row.findings > 1 && ` and ${number(row.findings - 1)} more`}
          </code>
        )}
        <RowSummary row={row} />
      </span>
      <span role="gridcell" className={styles.timeline}>
        <Bar row={row} from={from} to={to} />
      </span>
      <span role="gridcell" className={styles.findings} data-tip={row.rule ?? undefined}>
        {row.findings > 0 && (
          <>
            <Worst size={12} role="img" aria-label={worst.word} />
            {number(row.findings)}
            <span className="visuallyHidden">{row.findings === 1 ? " issue" : " issues"}</span>
          </>
        )}
      </span>
    </div>
  );
});

function timeText(at: number, { began }: LogRow, relative: boolean): string {
  return relative ? sinceText(at, began) : clockTime(at);
}

/** Summary of a row. */
function RowSummary({ row }: { readonly row: LogRow }): ReactNode {
  const { group, level, logger, summary, preview } = row;
  // The row already shows verb and path.
  if (group?.http !== undefined && group.http !== null && group.http === summary) return null;
  return (
    <>
      {level !== null && <span className="strong">{LEVELS[level]} </span>}
      {logger !== null && <span className={styles.cause}>{escapesOf(logger)} </span>}
      {escapesOf(summary ?? preview)}
    </>
  );
}

/** Bar for the time and duration of a row within the range of the timeline. */
function Bar({ row, from, to }: { readonly row: LogRow; readonly from: number; readonly to: number }): ReactNode {
  const span = spanOf(row);
  const all = Math.max(to - from, 0.001);
  const percent = (at: number): number => Math.min(100, Math.max(0, ((at - from) / all) * 100));
  const left = percent(span.from);
  return (
    <span
      className={styles.span}
      aria-hidden="true"
      // At 100% the bar would be outside.
      style={{ left: `min(${left}%, 100% - 3px)`, width: `${percent(span.to) - left}%` }}
    />
  );
}

function subjectOf(server: ServerId, row: LogRow): Subject {
  const { kind, out, bytes, has_body, operation, partner, method } = row;
  return { type: "entry", server, seq: shownBy(row), kind, out, bytes, has_body, operation, partner, method };
}
