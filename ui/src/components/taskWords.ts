import type { TaskRun, TaskStatus, TaskStep } from "../ipc/bindings";
import { elapsed } from "../lib/format";
import { timeLeft } from "../lib/useNow";

/** Task statuses in the words of the specification. */
export const STATUS_WORDS: Readonly<Record<TaskStatus, string>> = {
  working: "working",
  input_required: "input required",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  unknown: "unknown status",
};

/** Returns true for a status that never changes again. */
export function isTerminal(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Formats a time in milliseconds: `42 s`, from a minute on `1:05`. */
export function span(millis: number): string {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  return seconds < 60 ? `${seconds} s` : elapsed(seconds * 1000);
}

/** Describes the current step for a running task. All times in ms since the epoch. */
export function stepText(step: TaskStep | null, now: number): string {
  switch (step?.type) {
    case "wait": {
      // The window's clock can be slightly ahead.
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

/**
 * Returns the time from which the server may forget a task, in ms since the epoch; `null` if it names none, or never
 * forgets.
 */
export function expiresAt({ since, ttl }: TaskRun): number | null {
  return ttl === null ? null : since + ttl;
}

/** Words the expiry, `expires in 4 minutes`; empty for a task that does not expire. */
export function expiryText(task: TaskRun, now: number): string {
  return expiryWords(expiresAt(task), now);
}

/** Words the expiry at a time in ms since the epoch. */
export function expiryWords(at: number | null, now: number): string {
  if (at === null) return "";
  return at <= now ? "expired: the server may have deleted it" : `expires in ${timeLeft(at - now)}`;
}
