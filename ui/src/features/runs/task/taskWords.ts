import { isTerminal, STATUS_WORDS } from "../../../components/taskWords";
import type { OperationView, TaskSource } from "../../../ipc/bindings";

/** Sources from which a status became known. */
export const SOURCE_WORDS: Readonly<Record<TaskSource, string>> = {
  created: "created",
  polled: "asked for",
  notified: "notification",
  cancelled: "answer to the cancellation",
  result: "result",
};

/** Describes the task of a finished run in one or two sentences; `null` if the outcome already does. */
export function afterwards({ task, outcome, resumable }: OperationView): string | null {
  if (task === null || outcome === null || outcome.type === "result") return null;
  const last = `Its last known status is “${STATUS_WORDS[task.status]}”.`;
  switch (outcome.type) {
    case "stopped_waiting":
    case "timed_out":
      return `The task was not cancelled and may go on at the server. ${last}`;
    case "lost":
      if (resumable) return `The next connection asks the server for the task. ${last}`;
      return isTerminal(task.status)
        ? `The task is over, and its result was not received. ${last}`
        : `The task may go on at the server. ${last}`;
    case "cancelled":
      return task.status === "cancelled" ? null : `The server was asked to cancel the task. ${last}`;
    default:
      return null;
  }
}
