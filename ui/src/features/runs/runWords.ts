import { Ban, CircleAlert, CircleCheck, Hourglass, Send, TriangleAlert, Unplug, type LucideIcon } from "lucide-react";

import type { OperationView, LostCode, OperationOutcome, OperationProgress, StreamStatus } from "../../ipc/bindings";
import { count, duration, elapsed, number, rate } from "../../lib/format";
import { compactJson } from "../../schema/print";
import { isByHand, isReading } from "../../state/operationName";

export type Tone = "neutral" | "ok" | "warn" | "bad";

interface OutcomeWord {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

const OUTCOMES: Readonly<Record<Exclude<OperationOutcome["type"], "result" | "lost">, OutcomeWord>> = {
  protocol_error: { word: "Error", tone: "bad", icon: CircleAlert },
  bad_shape: { word: "Invalid response", tone: "bad", icon: CircleAlert },
  sent: { word: "Sent", tone: "ok", icon: Send },
  timed_out: { word: "Timed out", tone: "warn", icon: Hourglass },
  cancelled: { word: "Cancelled", tone: "neutral", icon: Ban },
  stopped_waiting: { word: "Stopped waiting", tone: "neutral", icon: Hourglass },
};

/** Outcome of an operation in a word or two, and its icon; `issues` counts the problems of its result. */
export function outcomeWord(outcome: OperationOutcome, issues: number): OutcomeWord {
  if (outcome.type === "lost") {
    const { word, icon } = lostWords[outcome.code];
    return { word, tone: isUnsent(outcome.code) ? "warn" : "bad", icon };
  }
  if (outcome.type !== "result") return OUTCOMES[outcome.type];
  if (outcome.is_error) return { word: "Tool error", tone: "bad", icon: CircleAlert };
  return issues === 0
    ? { word: "Done", tone: "ok", icon: CircleCheck }
    : { word: `Done, ${count(issues, "issue", "issues")}`, tone: "warn", icon: TriangleAlert };
}

/** Names of each way to lose a response, in a word or two and as a heading, and its icon. */
export const lostWords: Readonly<Record<LostCode, Omit<OutcomeWord, "tone"> & { readonly title: string }>> = {
  connection_lost: { word: "Connection lost", title: "Connection lost before the response", icon: Unplug },
  app_closed: { word: "Sonde closed", title: "Sonde was closed before the response", icon: Unplug },
  exchange_failed: { word: "Request failed", title: "The HTTP request failed", icon: CircleAlert },
  no_response: { word: "No response", title: "The stream ended without a response", icon: Unplug },
  http_status: { word: "HTTP error", title: "The HTTP response contains no MCP message", icon: CircleAlert },
  too_large: { word: "Response too large", title: "The response is too large", icon: CircleAlert },
  session_expired: { word: "Session expired", title: "The server no longer knows this session", icon: Unplug },
  stream_lost: { word: "Stream lost", title: "The response stream could not be resumed", icon: Unplug },
  too_many_rounds: { word: "Too many rounds", title: "The server asked for input too often", icon: CircleAlert },
  forbidden: { word: "Not sent", title: "Not sent: the protocol forbids calling this tool", icon: Ban },
  not_sent: { word: "Not sent", title: "The request was not sent", icon: Ban },
};

/** True if nothing was sent to the server. */
export function isUnsent(code: LostCode): boolean {
  return code === "forbidden" || code === "not_sent";
}

/** State of an operation in a word or two; `asked`: the server waits for an answer of the user. */
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

/** Duration of a finished run, without the time spent waiting for the user. */
export function ownTime({ micros, waited }: Took): string {
  return duration(Math.max(0, (micros ?? 0) - waited));
}

/** Time spent waiting for the user; `null` if there was none. */
export function waitText({ waited }: Took): string | null {
  return waited === 0 ? null : `and ${duration(waited)} waiting for you`;
}

/** Duration of a run, and the time spent waiting for the user. */
export function tookText(run: Took): string {
  const wait = waitText(run);
  return wait === null ? ownTime(run) : `${ownTime(run)}, ${wait}`;
}

/** Text that replaces the server's own message in special states. */
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

/** True if the server can be asked to stop the operation. */
export function isStoppable(state: OperationView["state"] | undefined): boolean {
  return state !== undefined && state !== "cancelling" && state !== "finished";
}

/** `Attempt 2 of 5 in 3 s`, for the stream that the operation waits for. */
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

/** A progress value in the server's unit: whole numbers unchanged, others with at most two decimals. */
function amount(value: number): string {
  return Number.isInteger(value) ? number(value) : String(Number(value.toFixed(2)));
}

/** Share of the work that is done, from 0 to 1; `null` if it is not known. */
export function progressShare(progress: OperationProgress | null): number | null {
  if (!progress || progress.total === null || !(progress.total > 0)) return null;
  return Math.min(1, Math.max(0, progress.progress / progress.total));
}

/** Silence that deserves a remark, in ms. */
const QUIET_MS = 30_000;
/** Remaining time in ms at which a limit counts as near; less than a quarter of it must be left, too. */
const NEAR_MS = 60_000;

export interface Patience {
  /** Empty while progress postpones the limits. */
  readonly text: string;
  /** The server has been silent for remarkably long. */
  readonly quiet: boolean;
}

/**
 * Remaining time until the run times out, as text. All times are in ms since the epoch.
 *
 * The limits on silence and on the whole duration are separate; the nearer one counts.
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
  // Silence does not limit a task.
  const left =
    idle <= hard && operation.task === null ? `idle timeout in ${elapsed(idle)}` : `max timeout in ${elapsed(hard)}`;
  if (quiet) return { text: `No activity for ${elapsed(silent)}, ${left}`, quiet };
  return { text: left.charAt(0).toUpperCase() + left.slice(1), quiet };
}

/** Arguments of a run in one line, cut to fit. */
export function argumentsLine(text: string | null, none = "no arguments"): string {
  if (text === null) return none;
  const line = compactJson(text.slice(0, 400));
  return line === "{}" ? none : line;
}

/** Input of a run in one line: the URI of a read, the params of a raw request, or the arguments. */
export function givenLine(operation: OperationView): string {
  if (isByHand(operation)) return argumentsLine(operation.params, "no params");
  return isReading(operation) ? (operation.target ?? "") : argumentsLine(operation.arguments);
}

/** Size of a result in bytes; `null` for other outcomes. */
export function outcomeBytes(outcome: OperationOutcome | null): number | null {
  return outcome?.type === "result" ? outcome.bytes : null;
}
