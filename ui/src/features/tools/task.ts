import type { TaskParams, TaskSupport } from "../../ipc/bindings";
import { valueIn } from "../../lib/valueIn";

export interface TaskChoiceState {
  readonly wanted: boolean;
  /** Requested lifetime of the task in seconds, as typed; empty leaves it to the server. */
  readonly seconds: string;
}

/** Serializes the choice for the stored drafts. */
export function taskText({ wanted, seconds }: TaskChoiceState): string {
  return !wanted && seconds === "" ? "" : JSON.stringify({ wanted, seconds });
}

/** Parses a stored choice; returns no choice if the text cannot be read. */
export function taskOf(text: string): TaskChoiceState {
  const { wanted, seconds } = (valueIn(text) ?? {}) as Partial<Record<keyof TaskChoiceState, unknown>>;
  return { wanted: wanted === true, seconds: typeof seconds === "string" ? seconds : "" };
}

/** Longest lifetime that can be requested, in seconds: a year. */
const LONGEST_LIFETIME = 365 * 24 * 3600;

function isTask(support: TaskSupport, { wanted }: TaskChoiceState): boolean {
  return support === "required" || (support === "optional" && wanted);
}

/** Checks the typed lifetime and returns the error text. */
export function taskProblem(support: TaskSupport, choice: TaskChoiceState): string | undefined {
  const typed = choice.seconds.trim();
  if (!isTask(support, choice) || typed === "") return undefined;
  const seconds = Number(typed);
  return Number.isFinite(seconds) && seconds > 0 && seconds <= LONGEST_LIFETIME
    ? undefined
    : "Enter a number of seconds above 0, at most a year.";
}

/** Task options of a call; `null` if the tool is not run as a task. */
export function taskInput(support: TaskSupport, choice: TaskChoiceState): TaskParams | null {
  if (!isTask(support, choice)) return null;
  const typed = choice.seconds.trim();
  const isGiven = typed !== "" && taskProblem(support, choice) === undefined;
  return { ttl: isGiven ? Math.round(Number(typed) * 1000) : null };
}
