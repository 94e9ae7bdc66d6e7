import * as icons from "lucide-react";
import type { ReactNode } from "react";

import { Prose } from "../../components/Prose";
import { Spinner } from "../../components/Spinner";
import type { Check, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, duration } from "../../lib/format";
import { visibleText } from "../../lib/visible";
import { subjectMark } from "../../state/view";
import type { CheckRow } from "./checkRows";
import styles from "./checks.module.css";
import {
  reasonLine,
  requestLine,
  setWords,
  shownState,
  STATE_COLOURS,
  STATE_WORDS,
  type ShownState,
} from "./checkWords";

const ICONS: Readonly<Record<Exclude<ShownState, "running">, icons.LucideIcon>> = {
  waiting: icons.CircleDashed,
  passed: icons.CircleCheck,
  failed: icons.CircleX,
  incomplete: icons.CircleQuestionMark,
  skipped: icons.CircleMinus,
  broken: icons.Unplug,
  never: icons.Circle,
  off: icons.Ban,
};

/** State of a check, or of a case of it, as an icon and a word. */
export function StateMark({ state }: { readonly state: ShownState }): ReactNode {
  const Icon = state === "running" ? null : ICONS[state];
  return (
    <span className={cx(styles.state, STATE_COLOURS[state] ?? "muted")}>
      {Icon ? <Icon size={13} aria-hidden /> : <Spinner />}
      {STATE_WORDS[state]}
    </span>
  );
}

/** A line of the list of checks. */
export function CheckLine({
  server,
  row,
}: Pick<OneProps, "server"> & { readonly row: CheckRow | undefined }): ReactNode {
  if (!row) return null;
  if (row.type === "check") return <One server={server} check={row.check} grouped={row.check.group !== null} />;
  const { suite, checks } = row;
  if (row.type === "group") {
    return (
      <div className={cx(styles.set, styles.group)}>
        <span className="ellipsis strong">{visibleText(row.group)}</span>
        <span className="note rigid">{setWords(checks)}</span>
      </div>
    );
  }
  const broken = suite.problems.length > 0;
  const Icon = broken ? icons.FileWarning : icons.FolderTree;
  return (
    <div className={styles.set}>
      <Icon size={14} aria-hidden className={cx("rigid", broken ? "bad" : "muted")} />
      <span className="ellipsis strong">{visibleText(suite.name)}</span>
      {suite.name !== suite.file && <span className={cx("note", styles.file)}>{visibleText(suite.file)}</span>}
      {broken ? (
        <span className="bad ellipsis equal">
          {suite.problems.length === 1 ? (
            <Prose text={`Not a suite: ${suite.problems[0]?.message}`} />
          ) : (
            `Not a suite: ${count(suite.problems.length, "problem", "problems")}`
          )}
        </span>
      ) : (
        <span className="note rigid">{setWords(checks)}</span>
      )}
      {suite.server !== null && <span className="note ellipsis">on {visibleText(suite.server)}</span>}
    </div>
  );
}

interface OneProps {
  readonly server: ServerId;
  readonly check: Check;
  readonly grouped: boolean;
}

function One({ server, check, grouped }: OneProps): ReactNode {
  const { id, result } = check;
  const version = result?.version ?? null;
  const took = result?.duration ?? null;
  const reason = reasonLine(check);
  const resultless = version === null && took === null;
  return (
    <div
      className={cx(
        styles.row,
        grouped && styles.grouped,
        reason === "" && styles.reasonless,
        resultless && styles.resultless,
        !check.on && "muted",
      )}
      {...subjectMark({ type: "check", server, check: id })}
    >
      <StateMark state={shownState(check)} />
      <span className={styles.name}>
        <span className="ellipsis">{visibleText(check.name)}</span>
        {check.destructive && (
          <icons.Eraser size={13} role="img" aria-label="Destructive" className="warn rigid" data-tip="Destructive" />
        )}
      </span>
      <span className={styles.request}>{visibleText(requestLine(check))}</span>
      {reason !== "" && (
        <span className={styles.reason}>
          <Prose text={reason} />
        </span>
      )}
      {!resultless && (
        <>
          <span className={styles.version}>{version !== null && visibleText(version)}</span>
          <span className={styles.duration}>{took !== null && duration(took)}</span>
        </>
      )}
    </div>
  );
}
