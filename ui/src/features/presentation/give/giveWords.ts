import type { LostCode, OperationOutcome, OperationView, PresentationStep } from "../../../ipc/bindings";
import { decoded } from "../../../lib/decoded";
import { number } from "../../../lib/format";
import { inWords } from "../../../lib/inWords";
import { visibleText } from "../../../lib/visible";
import { RESOURCES_READ } from "../../../state/operationName";

/** Returns the name of a step, never empty: its title, or the title of its target, or the target's name in words. */
export function stepTitle(
  { title, target, method }: Pick<PresentationStep, "method" | "title" | "target">,
  listed?: string | null,
): string {
  // A step without a title is stored under the name of its target.
  const own = title === target ? "" : title;
  const given = [own, listed ?? ""].find((each) => each.trim() !== "");
  if (given !== undefined) return visibleText(given);
  return method === RESOURCES_READ ? (linkName(null, target) ?? visibleText(target)) : visibleText(inWords(target));
}

/** Name of a link in a result: its title, else its file name; `null` if it has neither. */
export function linkName(title: string | null, address: string): string | null {
  if (title !== null && title.trim() !== "") return visibleText(title);
  const path = address.replace(/[?#].*$/s, "").replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, "");
  const file = path.split("/").at(-1) ?? "";
  return file.trim() === "" ? null : visibleText(decoded(file));
}

/** Views of a step: the form, a run in progress, or its outcome. */
export type Face = "form" | "running" | "ended";

export function faceOf(run: OperationView | undefined, changing: boolean): Face {
  if (!run) return "form";
  if (run.state !== "finished") return "running";
  return changing ? "form" : "ended";
}

/** State of a run in a sentence. `asked`: the audience has to answer a question. */
export function runningWords({ state }: Pick<OperationView, "state">, asked: boolean): string {
  if (state === "cancelling") return "Stopping… You can go on meanwhile.";
  if (asked || state === "input_required") return "Please answer to go on.";
  switch (state) {
    case "queued":
      return "Waiting for its turn…";
    case "waiting":
      return "The connection was interrupted. Waiting for it to come back…";
    case "signing_in":
      return "Waiting for a sign-in. Leave the presentation to sign in.";
    default:
      return "Working on it…";
  }
}

/** Progress as text beside the bar; empty if it is not known. */
export function amountWords({ progress }: Pick<OperationView, "progress">): string {
  if (!progress) return "";
  const plain = (value: number): string => (Number.isInteger(value) ? number(value) : value.toFixed(1));
  return progress.total !== null && progress.total > 0
    ? `${plain(progress.progress)} of ${plain(progress.total)}`
    : plain(progress.progress);
}

export interface Trouble {
  readonly tone: "bad" | "neutral";
  readonly title: string;
  readonly advice: string;
  /** Text of the server about the trouble; empty if the content of the result has it. */
  readonly said: string | null;
}

/** True if the connection was lost before the response came, so that the effect of the call is unknown. */
export function isConnectionLost(outcome: OperationOutcome | null | undefined): boolean {
  return outcome?.type === "lost" && !KNOWN_ENDS.has(outcome.code);
}

/** Reasons for a missing response other than a lost connection. */
const KNOWN_ENDS: ReadonlySet<LostCode> = new Set(["too_large", "too_many_rounds", "forbidden", "not_sent"]);

export interface Place {
  /** The values of the step can be changed. */
  readonly changeable?: boolean;
  /** The step is the last one. */
  readonly last?: boolean;
}

/** Explains a missing result, with advice for the presentation; `null` if there is a result. */
export function troubleOf(outcome: OperationOutcome, { changeable = true, last = false }: Place = {}): Trouble | null {
  const again = last ? "Try again." : "Try again, or go on with the next step.";
  const change = changeable ? "Change the values, or try again." : again;
  const bad = (title: string, advice = again, said: string | null = null): Trouble => ({
    tone: "bad",
    title,
    advice,
    said,
  });
  switch (outcome.type) {
    case "result":
      return outcome.is_error ? bad("That did not work.", change, "") : null;
    case "protocol_error":
      return bad("That did not work.", change, outcome.message);
    case "bad_shape":
      return bad("The answer cannot be shown.");
    case "sent":
      return null;
    case "timed_out":
      return bad("It took too long, so Sonde stopped waiting.");
    case "cancelled":
    case "stopped_waiting":
      return { tone: "neutral", title: "Stopped.", advice: again, said: null };
    case "lost":
      switch (outcome.code) {
        case "too_large":
          return bad("The answer is too large to be shown.", "Change the values to get less, and try again.");
        case "too_many_rounds":
          return bad("It asked too many questions.");
        case "forbidden":
          return bad("This step must not be run.", last ? "It was the last one." : "Go on with the next step.");
        case "not_sent":
          return bad("It could not be started.");
        default:
          return bad("The connection was lost before the answer came.");
      }
  }
}
