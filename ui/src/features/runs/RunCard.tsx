import { Pin, type LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";

import { Found } from "../../components/Found";
import type { OperationNumber, OperationView, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { bytes, clockTime } from "../../lib/format";
import { useOperation, useServerRequestsOf } from "../../state/hooks";
import { focusMark, focusNames, subjectMark } from "../../state/view";
import { foundIn } from "./foundIn";
import { CancelRun } from "./CancelRun";
import { FromCache } from "./FromCache";
import { RunBody } from "./RunBody";
import { RunningBody, RunningClock } from "./RunningBody";
import { runMark } from "./runMark";
import { givenLine, isStoppable, outcomeBytes, outcomeWord, ownTime, stateWord, waitText, type Tone } from "./runWords";
import styles from "./runs.module.css";
import { itemName } from "../../lib/itemName";
import { operationName } from "../../state/operationName";

export interface RunCardProps {
  readonly operation: OperationNumber;
  readonly server: ServerId;
  readonly selected: boolean;
  /** Search words to be marked. */
  readonly words: readonly string[];
  /** Day of the run, unless a heading shows it. */
  readonly day: string | null;
  readonly onSelect: (operation: OperationNumber) => void;
  /** Renders the open server requests of the operation; on a selected card also the answered ones. */
  readonly serverRequests: (operation: OperationNumber, selected: boolean) => ReactNode;
}

/** One operation: its head, its live state while it runs, and its result when selected. */
export function RunCard(props: RunCardProps): ReactNode {
  const { operation: number, server, selected, words, day, onSelect, serverRequests } = props;
  const operation = useOperation(number);
  const bodyId = useId();
  const asked = useServerRequestsOf(server, number).length > 0;
  if (!operation) return null;
  const title = itemName({ title: operation.title, name: operationName(operation) });
  const over = operation.state === "finished";
  const stoppable = isStoppable(operation.state);
  const size = outcomeBytes(operation.outcome);
  const wait = over ? waitText(operation) : null;
  const { label } = operation;
  const found = foundIn(operation, words);
  return (
    <article className={cx(styles.card, selected && styles.selected, stoppable && styles.stoppable)}>
      <button
        type="button"
        className={cx(styles.head, found && styles.withFound)}
        data-card-head=""
        {...focusMark(focusNames.run(number))}
        {...subjectMark({ type: "run", operation: number })}
        data-focus="inset"
        aria-expanded={selected}
        aria-controls={selected ? bodyId : undefined}
        onClick={() => onSelect(number)}
      >
        <span className={styles.headLine}>
          <StateMark icon={runMark(operation, asked)} operation={operation} />
          {label.name === null ? (
            <span className={styles.tool}>
              <Found text={title} words={words} />
            </span>
          ) : (
            <span className={styles.tool}>
              <Found text={label.name} words={words} />{" "}
              <span className={styles.faint}>
                <Found text={title} words={words} />
              </span>
            </span>
          )}
          {label.pinned && <Pin size={12} aria-label="Pinned" className="rigid" />}
          <span className={styles.when} data-tip={wait ?? undefined}>
            {over ? ownTime(operation) : <RunningClock since={operation.started_at} />}
          </span>
        </span>
        <span className={styles.headLine}>
          <span className={cx("rigid padLeft20 small", COLOURS[tone(operation)])} data-run-state>
            {stateWord(operation, asked)}
          </span>
          <span className={styles.arguments}>
            <Found text={givenLine(operation)} words={words} />
          </span>
          <span className={styles.facts}>
            {operation.by_app && "by an app · "}
            <FromCache operation={operation} />
            {wait !== null && <span className={styles.waited}>{wait} · </span>}
            {size !== null && bytes(size)}
            <time className={styles.clock}>
              {size !== null && " · "}
              {day !== null && `${day}, `}
              {clockTime(operation.started_at).slice(0, 8)}
            </time>
          </span>
        </span>
        {found && (
          <span className={styles.headLine}>
            <span className={styles.foundIn}>
              {found.where}
              {found.text !== "" && ": "}
              <Found text={found.text} words={words} />
            </span>
          </span>
        )}
      </button>
      {stoppable && <CancelRun operation={number} title={title} className={styles.cancel} />}
      {!over && <RunningBody operation={operation} title={title} asked={asked} />}
      {serverRequests(number, selected)}
      {selected && (
        <div id={bodyId} className={styles.body} {...subjectMark({ type: "run", operation: number })}>
          <RunBody operation={operation} />
        </div>
      )}
    </article>
  );
}

const COLOURS: Readonly<Record<Tone, string>> = { neutral: "", ok: "ok", warn: "warn", bad: "bad" };

function tone(operation: OperationView): Tone {
  return operation.outcome ? outcomeWord(operation.outcome, operation.issues).tone : "neutral";
}

interface StateMarkProps {
  readonly icon: LucideIcon;
  readonly operation: OperationView;
}

function StateMark({ icon: Icon, operation }: StateMarkProps): ReactNode {
  const colour = operation.outcome ? COLOURS[tone(operation)] : "accent";
  return <Icon size={14} aria-hidden className={cx("rigid", colour)} />;
}
