import type { ReactNode } from "react";

import { Button } from "../../../components/Button";
import { expiryText, isTerminal, STATUS_WORDS, stepText } from "../../../components/taskWords";
import type { OperationNumber, TaskRun } from "../../../ipc/bindings";
import { useActions } from "../../../state/hooks";
import styles from "./task.module.css";

interface TaskLineProps {
  readonly operation: OperationNumber;
  readonly task: TaskRun;
  readonly title: string;
  readonly now: number;
}

/** Status of the task of a running operation, with the actions on it. */
export function TaskLine({ operation, task, title, now }: TaskLineProps): ReactNode {
  const actions = useActions();
  const facts = [stepText(task.step, now), expiryText(task, now)].filter((text) => text !== "");
  return (
    <>
      <div className={styles.line}>
        <span className={styles.text}>
          <strong data-task-status>Task {STATUS_WORDS[task.status]}</strong>
          <span className="muted digits">{facts.map((text) => ` · ${text}`).join("")}</span>
        </span>
        <Button
          small
          kind="quiet"
          aria-label={`Ask now for the status of ${title}`}
          aria-disabled={task.step?.type !== "wait" || isTerminal(task.status)}
          onClick={() => void actions.command("ask_task", { operation })}
        >
          Ask now
        </Button>
        <Button
          small
          kind="quiet"
          aria-label={`Stop waiting for ${title}`}
          title="Ends the run here; the task is not cancelled"
          onClick={() => void actions.command("stop_waiting", { operation })}
        >
          Stop waiting
        </Button>
      </div>
      {task.cancel_failed !== null && (
        <p className="warn small" role="status">
          The server did not cancel the task: {task.cancel_failed}
        </p>
      )}
    </>
  );
}
