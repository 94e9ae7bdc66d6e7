import type { TaskInput, TaskSupport } from "../../ipc/bindings";

/** What was chosen beside the form of a tool. */
export interface TaskChoiceState {
  readonly wanted: boolean;
  /** How long the server is to keep the task, as it was typed; empty leaves that to the server. */
  readonly seconds: string;
}

const NO_CHOICE: TaskChoiceState = { wanted: false, seconds: "" };

/** The choice as it is kept with the drafts. */
export function taskText({ wanted, seconds }: TaskChoiceState): string {
  return !wanted && seconds === "" ? "" : JSON.stringify({ wanted, seconds });
}

/** What was kept; nothing is chosen where that cannot be read. */
export function taskOf(text: string): TaskChoiceState {
  if (text === "") return NO_CHOICE;
  try {
    const { wanted, seconds } = JSON.parse(text) as Partial<Record<keyof TaskChoiceState, unknown>>;
    return { wanted: wanted === true, seconds: typeof seconds === "string" ? seconds : "" };
  } catch {
    return NO_CHOICE;
  }
}

/** The longest time that can be asked for: a year. */
const LONGEST = 365 * 24 * 3600;

/** Whether a run of a tool is one as a task. */
function isTask(support: TaskSupport, { wanted }: TaskChoiceState): boolean {
  return support === "required" || (support === "optional" && wanted);
}

/** What is wrong with the time that was typed. */
export function taskProblem(support: TaskSupport, choice: TaskChoiceState): string | undefined {
  const typed = choice.seconds.trim();
  if (!isTask(support, choice) || typed === "") return undefined;
  const seconds = Number(typed);
  return Number.isFinite(seconds) && seconds > 0 && seconds <= LONGEST
    ? undefined
    : "Enter a number of seconds above 0, at most a year.";
}

/** How the tool is run as a task; `null` where it is not. */
export function taskInput(support: TaskSupport, choice: TaskChoiceState): TaskInput | null {
  if (!isTask(support, choice)) return null;
  const typed = choice.seconds.trim();
  const isGiven = typed !== "" && taskProblem(support, choice) === undefined;
  return { ttl: isGiven ? Math.round(Number(typed) * 1000) : null };
}
