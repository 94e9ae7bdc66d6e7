import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Hourglass,
  KeyRound,
  MessageCircleQuestionMark,
  Play,
  RotateCw,
  Unplug,
  type LucideIcon,
} from "lucide-react";
import { useId, type ReactNode } from "react";

import type { CallNumber, CallView, LostCode, OutcomeView, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { bytes, clockTime, duration } from "../../lib/format";
import { compactJson } from "../../schema/print";
import { useCall, useQuestionsOf } from "../../state/hooks";
import { RunBody } from "./RunBody";
import { RunningBody, RunningClock } from "./RunningBody";
import { outcomeBytes, outcomeWord, stateWord, type Tone } from "./words";
import styles from "./runs.module.css";

export interface RunCardProps {
  readonly call: CallNumber;
  readonly server: ServerId;
  readonly selected: boolean;
  readonly onSelect: (call: CallNumber) => void;
  /** What the server asks during the call. */
  readonly questions: (call: CallNumber) => ReactNode;
}

/** One call: its head is always there, its live state while it runs, its result when selected. */
export function RunCard({ call: number, server, selected, onSelect, questions }: RunCardProps): ReactNode {
  const call = useCall(number);
  const bodyId = useId();
  const asked = useQuestionsOf(server, number).length > 0;
  if (!call) return null;
  const title = call.title ?? call.tool;
  const over = call.state === "finished";
  const size = outcomeBytes(call.outcome);
  return (
    <article className={cx(styles.card, selected && styles.selected)}>
      <button
        type="button"
        className={styles.head}
        data-card-head=""
        data-focus="inset"
        aria-expanded={selected}
        aria-controls={selected ? bodyId : undefined}
        onClick={() => onSelect(number)}
      >
        <span className={styles.headLine}>
          <StateMark call={call} asked={asked} />
          <span className={styles.tool}>{title}</span>
          <span className={styles.when}>
            {over ? duration(call.micros ?? 0) : <RunningClock since={call.started_at} />}
          </span>
        </span>
        <span className={styles.headLine}>
          <span className={cx(styles.word, styles[tone(call)])} data-run-state>
            {stateWord(call, asked)}
          </span>
          <span className={styles.arguments}>{argumentsLine(call.arguments)}</span>
          <span className={styles.facts}>
            {size !== null && bytes(size)}
            <time className={styles.clock}>
              {size !== null && " · "}
              {clockTime(call.started_at).slice(0, 8)}
            </time>
          </span>
        </span>
      </button>
      {!over && <RunningBody call={call} title={title} asked={asked} />}
      {questions(number)}
      {selected && (
        <div id={bodyId} className={styles.body}>
          <RunBody call={call} />
        </div>
      )}
    </article>
  );
}

function tone(call: CallView): Tone {
  return call.outcome ? outcomeWord(call.outcome).tone : "neutral";
}

function argumentsLine(text: string | null): string {
  if (text === null) return "no arguments";
  const line = compactJson(text.slice(0, 400));
  return line === "{}" ? "no arguments" : line;
}

const MARKS: Record<Exclude<OutcomeView["type"], "lost">, LucideIcon> = {
  result: CircleCheck,
  protocol_error: CircleAlert,
  bad_shape: CircleAlert,
  timed_out: Hourglass,
  cancelled: Ban,
};

const LOST_MARKS: Record<LostCode, LucideIcon> = {
  connection_lost: Unplug,
  exchange_failed: CircleAlert,
  no_response: Unplug,
  http_status: CircleAlert,
  too_large: CircleAlert,
  session_expired: Unplug,
  stream_lost: Unplug,
  too_many_rounds: CircleAlert,
  forbidden: Ban,
  not_sent: Ban,
};

const LIVE_MARKS: Record<CallView["state"], LucideIcon> = {
  queued: CircleDashed,
  running: Play,
  waiting: RotateCw,
  signing_in: KeyRound,
  input_required: MessageCircleQuestionMark,
  cancelling: CircleDashed,
  finished: CircleDashed,
};

function StateMark({ call, asked }: { readonly call: CallView; readonly asked: boolean }): ReactNode {
  const { outcome } = call;
  const className = cx(styles.mark, outcome ? styles[tone(call)] : styles.live);
  if (!outcome) {
    const Live = LIVE_MARKS[asked && call.state === "running" ? "input_required" : call.state];
    return <Live size={14} aria-hidden className={className} />;
  }
  if (outcome.type === "result" && outcome.is_error) return <CircleAlert size={14} aria-hidden className={className} />;
  const Mark = outcome.type === "lost" ? LOST_MARKS[outcome.code] : MARKS[outcome.type];
  return <Mark size={14} aria-hidden className={className} />;
}
