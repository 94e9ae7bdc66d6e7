import { CircleAlert, CircleStop } from "lucide-react";
import type { ReactNode } from "react";

import { Marked } from "../../../components/Marked";
import { Progress } from "../../../components/Progress";
import type { OperationNumber, OperationView } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { elapsed } from "../../../lib/format";
import { useNow } from "../../../lib/useNow";
import { useServerRequestsOf } from "../../../state/hooks";
import { useWholeOperation } from "../../../state/queries";
import styles from "./give.module.css";
import { useLoading } from "./loading";
import { Question } from "./Question";
import { Result } from "./result/Result";
import { amountWords, runningWords, troubleOf, type Place } from "./giveWords";

/** Returns the open server requests of a run, and those of the same server outside of any run. */
export function useQuestions(server: string, run: OperationNumber | null): readonly number[] {
  const own = useServerRequestsOf(server, run);
  const general = useServerRequestsOf(server, null);
  return run === null ? general : [...own, ...general];
}

/** A run in progress. Each line has a fixed place, so that nothing moves. */
export function Running({ operation }: { readonly operation: OperationView }): ReactNode {
  const now = useNow(500);
  const questions = useQuestions(operation.server, operation.operation);
  const stopping = operation.state === "cancelling";
  return (
    <div className={styles.running}>
      <p className="large strong" role="status">
        {runningWords(operation, questions.length > 0)}
      </p>
      {questions.length === 0 && !stopping && <ProgressBar operation={operation} now={now} />}
      {questions.map((request) => (
        <Question key={request} request={request} />
      ))}
    </div>
  );
}

/** Progress of a run. The bar pauses while an answer is awaited. */
function ProgressBar({ operation, now }: { readonly operation: OperationView; readonly now: number }): ReactNode {
  const { progress } = operation;
  const total = progress?.total ?? null;
  return (
    <>
      <Progress
        label="Progress"
        {...(progress !== null && total !== null && total > 0 ? { value: progress.progress, max: total } : {})}
      />
      <div className={styles.amounts}>
        <span>{amountWords(operation)}</span>
        <span role="timer">{elapsed(now - operation.started_at)}</span>
      </div>
      <p className={styles.said} data-quoted>
        {progress?.message ?? operation.last_message?.text ?? ""}
      </p>
    </>
  );
}

/** Outcome of a run: its result, or the problem with advice. */
export function Ended(props: { readonly operation: OperationView; readonly place: Place }): ReactNode {
  const { operation, place } = props;
  const { outcome } = operation;
  const fetched = useWholeOperation(operation);
  const whole = fetched.value?.outcome;
  useLoading(fetched.state === "loading");
  if (!outcome) return null;
  const trouble = troubleOf(whole ?? outcome, place);
  const result = outcome.type === "result" && whole?.type === "result" ? whole : null;
  return (
    <div className={styles.ended}>
      {operation.answered_after_cancel && <p className="note">You stopped this, but it had finished all the same.</p>}
      {trouble && (
        <div className={cx(styles.trouble, trouble.tone === "bad" && styles.bad)} role="status">
          {trouble.tone === "bad" ? <CircleAlert aria-hidden /> : <CircleStop aria-hidden />}
          <div>
            <p className="large strong">{trouble.title}</p>
            <p>{trouble.advice}</p>
          </div>
        </div>
      )}
      {trouble?.said !== undefined && trouble.said !== null && trouble.said !== "" && (
        <blockquote className={styles.quote} data-quoted>
          <Marked text={trouble.said} lines />
        </blockquote>
      )}
      {result && <Result operation={operation.operation} result={result} />}
    </div>
  );
}
