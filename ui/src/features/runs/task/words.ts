import type { OperationView, TaskRun, TaskSource, TaskStatus, TaskStep } from "../../../ipc/bindings";
import { elapsed } from "../../../lib/format";

/** The statuses in the words of the specification. */
export const STATUS_WORDS: Readonly<Record<TaskStatus, string>> = {
  working: "working",
  input_required: "input required",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  unknown: "unknown status",
};

/** How a status became known. */
export const SOURCE_WORDS: Readonly<Record<TaskSource, string>> = {
  created: "created",
  polled: "asked for",
  notified: "notification",
  cancelled: "answer to the cancellation",
};

/** Whether nothing follows a status. */
export function isTerminal(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** A time in milliseconds: `42 s`, from a minute on `1:05`. */
export function span(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  return seconds < 60 ? `${seconds} s` : elapsed(seconds * 1000);
}

/** What is done about a running task at present. All times in ms since the epoch. */
export function stepText(step: TaskStep | null, now: number): string {
  switch (step?.type) {
    case "wait": {
      // The clock of the window is a little ahead of the answer.
      return step.at <= now ? "asking for the status" : `next status in ${span(step.at - now)}`;
    }
    case "asking":
      return "asking for the status";
    case "fetching_result":
      return "fetching the result";
    case undefined:
      return "";
  }
}

/** When the server may forget a task, in ms since the epoch; `null` where it does not say, or never. */
export function expiresAt({ since, ttl }: TaskRun): number | null {
  return ttl === null ? null : since + ttl;
}

/** `expires in 42 s`; empty where it does not expire. */
export function expiryText(task: TaskRun, now: number): string {
  const at = expiresAt(task);
  if (at === null) return "";
  return at <= now ? "expired: the server may have deleted it" : `expires in ${span(at - now)}`;
}

/**
 * What became of the task of a finished run, where the outcome does not tell; `null` where it does. One or two
 * sentences.
 */
export function afterwards({ task, outcome, resumable }: OperationView): string | null {
  if (task === null || outcome === null || outcome.type === "result") return null;
  const last = `Its last known status is “${STATUS_WORDS[task.status]}”.`;
  switch (outcome.type) {
    case "stopped_waiting":
      return `The task was not cancelled and may go on at the server. ${last}`;
    case "timed_out":
      return `The task was not cancelled and may go on at the server. ${last}`;
    case "lost":
      if (resumable) return `The next connection asks the server for the task. ${last}`;
      return isTerminal(task.status)
        ? `The task is over, and its result was not received. ${last}`
        : `The task may go on at the server. ${last}`;
    case "cancelled":
      return isTerminal(task.status) ? null : `The server was asked to cancel the task. ${last}`;
    default:
      return null;
  }
}
