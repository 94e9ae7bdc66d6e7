import type { OperationView, LostCode, OperationOutcome, OperationProgress, StreamStatus } from "../../ipc/bindings";
import { compactJson } from "../../schema/print";
import { isByHand, isReading } from "../../state/operationName";
import { count, duration, elapsed, number, rate } from "../../lib/format";

export type Tone = "neutral" | "ok" | "warn" | "bad";

/** How an operation ended, in a word or two; `issues` counts what is wrong with its result. */
export function outcomeWord(outcome: OperationOutcome, issues: number): { readonly word: string; readonly tone: Tone } {
  switch (outcome.type) {
    case "result":
      return outcome.is_error ? { word: "Tool error", tone: "bad" } : doneWord(issues);
    case "protocol_error":
      return { word: "Error", tone: "bad" };
    case "bad_shape":
      return { word: "Invalid response", tone: "bad" };
    case "sent":
      return { word: "Sent", tone: "ok" };
    case "timed_out":
      return { word: "Timed out", tone: "warn" };
    case "cancelled":
      return { word: "Cancelled", tone: "neutral" };
    case "stopped_waiting":
      return { word: "Stopped waiting", tone: "neutral" };
    case "lost":
      return { word: lostWords[outcome.code].word, tone: isUnsent(outcome.code) ? "warn" : "bad" };
  }
}

function doneWord(issues: number): { readonly word: string; readonly tone: Tone } {
  return issues === 0
    ? { word: "Done", tone: "ok" }
    : { word: `Done, ${count(issues, "issue", "issues")}`, tone: "warn" };
}

/** What to call each way of ending without a response: in a word or two, and as a heading. */
export const lostWords: Readonly<Record<LostCode, { readonly word: string; readonly title: string }>> = {
  connection_lost: { word: "Connection lost", title: "Connection lost before the response" },
  app_closed: { word: "Sonde closed", title: "Sonde was closed before the response" },
  exchange_failed: { word: "Request failed", title: "The HTTP request failed" },
  no_response: { word: "No response", title: "The stream ended without a response" },
  http_status: { word: "HTTP error", title: "The HTTP response contains no MCP message" },
  too_large: { word: "Response too large", title: "The response is too large" },
  session_expired: { word: "Session expired", title: "The server no longer knows this session" },
  stream_lost: { word: "Stream lost", title: "The response stream could not be resumed" },
  too_many_rounds: { word: "Too many rounds", title: "The server asked for input too often" },
  forbidden: { word: "Not sent", title: "Not sent: the protocol forbids calling this tool" },
  not_sent: { word: "Not sent", title: "The request was not sent" },
};

/** Whether nothing went to the server at all. */
export function isUnsent(code: LostCode): boolean {
  return code === "forbidden" || code === "not_sent";
}

/** Where an operation stands, in a word or two; `asked` while the server waits for an answer of the user. */
export function stateWord(operation: OperationView, asked = false): string {
  const words: Readonly<Record<OperationView["state"], string>> = {
    queued: "Queued",
    running: asked ? "Needs input" : "Running",
    waiting: "Reconnecting",
    signing_in: "Waiting for a token",
    input_required: "Needs input",
    cancelling: "Cancelling",
    finished: operation.outcome ? outcomeWord(operation.outcome, operation.issues).word : "Finished",
  };
  return words[operation.state];
}

type Took = Pick<OperationView, "micros" | "waited">;

/** How long a finished run took, without the time in which it waited for the user. */
export function ownTime({ micros, waited }: Took): string {
  return duration(Math.max(0, (micros ?? 0) - waited));
}

/** How long it waited for the user; `null` where it did not. */
export function waitText({ waited }: Took): string | null {
  return waited === 0 ? null : `and ${duration(waited)} waiting for you`;
}

/** Both. */
export function tookText(run: Took): string {
  const wait = waitText(run);
  return wait === null ? ownTime(run) : `${ownTime(run)}, ${wait}`;
}

/** What stands in the place of the server's own message while something special is the matter. */
export function situation({ state, rounds }: OperationView, asked: boolean): string | null {
  const words: Readonly<Partial<Record<OperationView["state"], string>>> = {
    queued: "Queued",
    waiting: "The stream closed; reconnecting…",
    signing_in: "Continues after sign-in.",
    input_required: rounds > 1 ? `The server needs input (round ${rounds})` : "The server needs input",
    ...(asked && { running: "The server needs input" }),
  };
  return words[state] ?? null;
}

/** Whether asking the server to stop makes sense. */
export function isStoppable(state: OperationView["state"] | undefined): boolean {
  return state !== undefined && state !== "cancelling" && state !== "finished";
}

/** `Attempt 2 of 5 in 3 s`; what is known of the stream that the operation waits for. */
export function attemptText(stream: StreamStatus | undefined, now: number): string {
  if (stream?.state === "resuming") return `Attempt ${stream.attempt} of ${stream.budget}`;
  if (stream?.state !== "waiting") return "";
  const seconds = Math.max(0, Math.ceil(((stream.next_at ?? now) - now) / 1000));
  return `Attempt ${stream.attempt} of ${stream.budget} ${seconds === 0 ? "now" : `in ${seconds} s`}`;
}

/** "42 of 100 · 12 / s", or "" before the first progress. */
export function progressText(progress: OperationProgress | null): string {
  if (!progress) return "";
  const place =
    progress.total !== null && progress.total > 0
      ? `${amount(progress.progress)} of ${amount(progress.total)}`
      : amount(progress.progress);
  return progress.rate !== null && progress.rate > 0 ? `${place} · ${rate(progress.rate)} / s` : place;
}

/** A place in the server's unit: whole numbers as such, others with at most two decimals. */
function amount(value: number): string {
  return Number.isInteger(value) ? number(value) : String(Number(value.toFixed(2)));
}

/** The share that is done, from 0 to 1; `null` where it is not known. */
export function progressShare(progress: OperationProgress | null): number | null {
  if (!progress || progress.total === null || !(progress.total > 0)) return null;
  return Math.min(1, Math.max(0, progress.progress / progress.total));
}

/** No news for this long deserves a remark, in ms. */
const QUIET_MS = 30_000;
/** A limit is near when less than a quarter of it is left, at most this long, in ms. */
const NEAR_MS = 60_000;

export interface Patience {
  /** Empty while progress keeps the limits away. */
  readonly text: string;
  /** It has been quiet for remarkably long. */
  readonly quiet: boolean;
}

/**
 * How long it will still be waited for. All times in ms since the epoch.
 *
 * The limit on silence and the one on the whole duration are two; the nearer one is what counts.
 */
export function patience(operation: OperationView, lastNews: number, now: number): Patience {
  const silent = Math.max(0, now - lastNews);
  const quiet = silent >= QUIET_MS;
  if (!operation.deadline) return { text: "", quiet: false };
  const idle = Math.max(0, operation.deadline.idle_at - now);
  const hard = Math.max(0, operation.deadline.hard_at - now);
  const isNear = (left: number, whole: number): boolean => left < Math.min(NEAR_MS, whole / 4);
  const near =
    isNear(idle, operation.deadline.idle_at - lastNews) ||
    isNear(hard, operation.deadline.hard_at - operation.started_at);
  if (operation.progress !== null && !quiet && !near) return { text: "", quiet };
  // Silence does not count for a task.
  const left =
    idle <= hard && operation.task === null ? `idle timeout in ${elapsed(idle)}` : `max timeout in ${elapsed(hard)}`;
  if (quiet) return { text: `No activity for ${elapsed(silent)}, ${left}`, quiet };
  return { text: left.charAt(0).toUpperCase() + left.slice(1), quiet };
}

/** The arguments of a run in one line, as far as a line shows them. */
export function argumentsLine(text: string | null, none = "no arguments"): string {
  if (text === null) return none;
  const line = compactJson(text.slice(0, 400));
  return line === "{}" ? none : line;
}

/** What was asked for, in one line: the URI that was read, the params written by hand, or the arguments. */
export function givenLine(operation: OperationView): string {
  if (isByHand(operation)) return argumentsLine(operation.params, "no params");
  return isReading(operation) ? (operation.target ?? "") : argumentsLine(operation.arguments);
}

/** Size of an outcome in bytes, where there is one. */
export function outcomeBytes(outcome: OperationOutcome | null): number | null {
  return outcome?.type === "result" ? outcome.bytes : null;
}
