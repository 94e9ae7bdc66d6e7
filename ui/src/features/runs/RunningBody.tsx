import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Progress } from "../../components/Progress";
import type { OperationView } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { elapsed } from "../../lib/format";
import { useNow } from "../../lib/useNow";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useAppState } from "../../state/hooks";
import { LogMessages } from "./LogMessages";
import { TaskLine } from "./task/TaskLine";
import { attemptText, patience, progressShare, progressText, situation } from "./runWords";
import styles from "./runs.module.css";

const MORE_SECONDS = 60;

export interface RunningBodyProps {
  readonly operation: OperationView;
  readonly title: string;
  /** The server waits for an answer of the user. */
  readonly asked: boolean;
}

/**
 * The live part of a card. Every line has its place from the beginning, so that nothing moves when the first progress
 * or message arrives.
 */
export function RunningBody({ operation, title, asked }: RunningBodyProps): ReactNode {
  const actions = useActions();
  // The maximum duration of a task never pauses, as the server continues it.
  const isPaused = asked && operation.task === null;
  const now = useNow(500, !isPaused);
  const news = (operation.progress?.count ?? 0) + operation.messages + (operation.task?.told ?? 0);
  const [seen, setSeen] = useState({ news, at: news === 0 ? operation.started_at : now });
  if (seen.news !== news) setSeen({ news, at: now });

  const share = progressShare(operation.progress);
  const cancelling = operation.state === "cancelling";
  const special = situation(operation, asked);
  const message = special ?? operation.progress?.message ?? operation.task?.message ?? "";
  const stream = useAppState((state) =>
    operation.state === "waiting"
      ? state.live.connections[operation.server]?.streams.find(
          (each) => each.operation === operation.operation && (each.state === "waiting" || each.state === "resuming"),
        )
      : undefined,
  );
  const attempt = attemptText(stream, now);
  const wait = patience(operation, Math.max(seen.at, operation.started_at), now);
  return (
    <div className={styles.running}>
      <Progress label={`Progress of ${title}`} still={asked} {...(share === null ? {} : { value: share, max: 1 })} />
      <div className={styles.progressLine}>
        <span className={styles.message} data-tip={message === "" ? undefined : message}>
          {message}
        </span>
        <span className="rigid muted digits">{progressText(operation.progress)}</span>
      </div>
      <div className={styles.waitLine}>
        <span
          className={cx(styles.patience, wait.quiet && !asked ? "warn" : "muted")}
          role={wait.quiet && !asked ? "status" : undefined}
        >
          {cancelling
            ? "Cancellation sent; waiting for the server"
            : isPaused
              ? "Timeouts are paused until you respond"
              : attempt === ""
                ? wait.text
                : attempt}
        </span>
        {!cancelling &&
          (stream?.state === "waiting" ? (
            <Button
              small
              kind="quiet"
              onClick={() => void actions.command("reconnect_stream", { server: operation.server, stream: stream.id })}
            >
              Reconnect now
            </Button>
          ) : operation.state === "signing_in" ? (
            <Button small kind="quiet" onClick={() => actions.get(signInActions).showSignIn(operation.server)}>
              Show sign-in
            </Button>
          ) : isPaused || wait.text === "" ? null : (
            <Button
              small
              kind="quiet"
              title="Extend the timeouts by one minute"
              onClick={() =>
                void actions.command("extend_operation", { operation: operation.operation, seconds: MORE_SECONDS })
              }
            >
              Wait longer
            </Button>
          ))}
      </div>
      {operation.task && <TaskLine operation={operation.operation} task={operation.task} title={title} now={now} />}
      <LogMessages operation={operation} reserve />
    </div>
  );
}

/** The elapsed time, updated every second. */
export function RunningClock({ since }: { readonly since: number }): ReactNode {
  const now = useNow(1000, true, since);
  return <span role="timer">{elapsed(now - since)}</span>;
}
