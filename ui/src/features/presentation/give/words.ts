import type { LostCode, OperationOutcome, OperationView, PresentationStep } from "../../../ipc/bindings";
import { number } from "../../../lib/format";
import { inWords } from "../../../lib/inWords";
import { visibleText } from "../../../lib/visible";

/** What a step is called: its title, else what is known of the tool that it shows, so that there is always something. */
export function stepTitle({ title, target }: Pick<PresentationStep, "title" | "target">, tool?: string | null): string {
  // What nobody gave a title is stored under the name of what it runs.
  const own = title === target ? "" : title;
  return visibleText([own, tool ?? ""].find((each) => each.trim() !== "") ?? inWords(target));
}

/** What a presentation is called. */
export function presentationTitle(title: string): string {
  return title.trim() === "" ? "Presentation" : visibleText(title);
}

/** What something that an answer leads to is called: its title, else the name of its file, where it has one of them. */
export function linkName(title: string | null, address: string): string | null {
  if (title !== null && title.trim() !== "") return visibleText(title);
  const path = address.replace(/[?#].*$/s, "").replace(/^[a-z][\w+.-]*:(\/\/[^/]*)?/i, "");
  const file = path.split("/").at(-1) ?? "";
  return file.trim() === "" ? null : visibleText(decoded(file));
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** What is on show of a step: what to fill in, what goes on, or how it ended. */
export type Face = "form" | "running" | "ended";

export function faceOf(run: OperationView | undefined, changing: boolean): Face {
  if (!run) return "form";
  if (run.state !== "finished") return "running";
  return changing ? "form" : "ended";
}

/** What goes on, in a sentence. `asked` while an answer of the people in the room is waited for. */
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

/** How much is done, as it is said beside a bar; empty where that is not known. */
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
  /** The words of the server about it; an empty text where its content has them. */
  readonly said: string | null;
}

/** The connection went away before the answer came, so that nobody knows what was done. */
export function isConnectionLost(outcome: OperationOutcome | null | undefined): boolean {
  return outcome?.type === "lost" && !KNOWN_ENDS.has(outcome.code);
}

/** Why there is no answer though the connection is there. */
const KNOWN_ENDS: ReadonlySet<LostCode> = new Set(["too_large", "too_many_rounds", "forbidden", "not_sent"]);

export interface Place {
  /** There are values that can be changed. */
  readonly changeable?: boolean;
  /** There is no next step to go on with. */
  readonly last?: boolean;
}

/** Why there is nothing to show, and what can be done at this place; `null` where there is a result. */
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
