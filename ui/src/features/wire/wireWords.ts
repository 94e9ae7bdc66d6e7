import type { LogCause, LogFilter, LogKind, LogNoResponse, LogRow } from "../../ipc/bindings";
import { bytes, number } from "../../lib/format";
import { LEVELS } from "../../state/view";

/** Kinds of entries, in plain words. */
export const KIND_WORDS: Record<LogKind, string> = {
  request: "Request",
  response: "Response",
  error: "Error",
  notification: "Notification",
  batch: "Batch",
  invalid: "Invalid message",
  non_message: "Non-JSON output",
  stderr: "stderr",
  process: "Process",
  http: "HTTP",
  sse: "SSE",
  note: "Client event",
  rule: "Answered by rule",
  app: "App message",
};

/** Kinds that share one filter button. */
export interface KindGroup {
  readonly name: string;
  readonly kinds: readonly LogKind[];
  /** Matches entries with errors, whatever their kind. */
  readonly errors?: true;
  readonly tip: string;
}

export const KIND_GROUPS: readonly KindGroup[] = [
  { name: "Requests", kinds: ["request", "batch"], tip: "Requests in both directions, and batches" },
  { name: "Responses", kinds: ["response"], tip: "Successful responses, and refusals during detection" },
  {
    name: "Errors",
    kinds: [],
    errors: true,
    tip: "Error responses, invalid messages, non-JSON output, failed processes, requests left without a response",
  },
  { name: "Notifications", kinds: ["notification"], tip: "Progress, log messages, changes" },
  { name: "stderr", kinds: ["stderr", "process"], tip: "stderr, start and exit of the process" },
  { name: "HTTP", kinds: ["http", "sse"], tip: "HTTP request and response heads, SSE events without a message" },
  {
    name: "Apps",
    kinds: ["app"],
    tip: "Messages between Sonde and apps of the server; none of them went to the server",
  },
  { name: "Client events", kinds: ["note", "rule"], tip: "What Sonde itself did or noticed" },
];

/** Reasons for messages that Sonde sends on its own. */
export const CAUSE_WORDS: Record<LogCause, string> = {
  lifecycle: "session",
  list_changed: "list changed",
  completion: "completion",
  answer: "answer",
  deadline: "deadline",
  probe: "detection",
  listen: "listening",
  resume: "resuming",
  retry: "asked again",
  task: "task",
  resumed_task: "resumed task",
  icon: "icon",
  fault: "caused by you",
};

/** Reasons for a missing response. */
export const NO_RESPONSE_WORDS: Record<LogNoResponse, string> = {
  exited: "No response: the server exited",
  disconnected: "No response: disconnected",
  cancelled: "No response: cancelled",
  timed_out: "No response: timed out",
  lost: "No response: the response was lost",
  detection: "No response: Sonde tried another way to connect",
  sent_again: "No response: rejected, then sent again",
};

export const NO_FILTER: LogFilter = {
  text: "",
  kinds: [],
  errors: false,
  methods: [],
  operation: null,
  out: null,
  findings_only: false,
  rule: null,
  either: false,
  least_level: null,
  logger: null,
  grouped: true,
};

/** True if a group is switched on. With no group switched on, everything is shown. */
export function groupIsOn(filter: LogFilter, group: KindGroup): boolean {
  return group.errors ? filter.errors : group.kinds.every((kind) => filter.kinds.includes(kind));
}

export function toggleGroup(filter: LogFilter, group: KindGroup): LogFilter {
  const others = filter.kinds.filter((kind) => !group.kinds.includes(kind));
  const next: LogFilter = {
    ...filter,
    kinds: groupIsOn(filter, group) ? others : [...others, ...group.kinds],
    errors: filter.errors !== (group.errors ?? false),
  };
  return KIND_GROUPS.every((each) => groupIsOn(next, each)) ? { ...next, kinds: [], errors: false } : next;
}

/** True if the filter hides anything, apart from the filter by operation. */
export function isNarrowed(filter: LogFilter): boolean {
  return (
    filter.text !== "" ||
    filter.kinds.length > 0 ||
    filter.errors ||
    filter.methods.length > 0 ||
    filter.out !== null ||
    filter.findings_only
  );
}

/** True for kinds whose body is, or should be, JSON. */
export function hasJsonBody(kind: LogKind): boolean {
  return ["request", "response", "error", "notification", "batch", "invalid", "app"].includes(kind);
}

/** Direction of an entry; `Local` for entries that are not sent. */
export function directionWord(row: Pick<LogRow, "kind" | "out">): string {
  if (row.kind === "app") return row.out ? "To app" : "From app";
  if (row.kind === "note" || row.kind === "rule" || row.kind === "process") return "Local";
  return row.out ? "Sent" : "Received";
}

/** Sequence number of the entry whose text a row shows: the last one of grouped notifications. */
export function shownBy({ group, seq }: LogRow): number {
  return group?.shown ?? seq;
}

/** Key that moves from a request to its response and back. */
export const PARTNER_KEY = "j";

/** True for a request with a known response; both have the same duration. */
export function isAnswered({ partner, seq }: Pick<LogRow, "partner" | "seq">): boolean {
  return partner !== null && partner > seq;
}

/** Time range of a row in ms since the epoch: a moment, or from request to response. */
export function spanOf(row: LogRow): { readonly from: number; readonly to: number } {
  const { at, micros, group } = row;
  if (micros !== null && isAnswered(row)) return { from: at, to: at + micros / 1000 };
  // A repeated notification. For an open stream, the bar would cover everything else.
  if (group && group.http === null && !group.open) return { from: at, to: group.until };
  return { from: at, to: at };
}

/** A size for a narrow column: `812 B`, `1.2 KB`. */
export function shortBytes(size: number): string {
  return bytes(size).replace(/ bytes?$/, " B");
}

/** Characters of an id that fit into a row. */
const ID_LENGTH = 9;

/**
 * Shortens an id for a narrow column: a longer one keeps its beginning and its end, where the ids of one server differ.
 */
export function shortId(id: string): string {
  const characters = [...id];
  if (characters.length <= ID_LENGTH) return id;
  const kept = (ID_LENGTH - 1) / 2;
  return `${characters.slice(0, kept).join("")}…${characters.slice(-kept).join("")}`;
}

/** Seconds since the start of a connection, for example `+12.345`. */
export function sinceText(at: number, origin: number): string {
  const seconds = (at - origin) / 1000;
  return `${seconds < 0 ? "−" : "+"}${Math.abs(seconds).toFixed(3)}`;
}

/** A minimum level, with the number of log messages at or above it. */
export function atLeast(level: number, counts: readonly number[]): string {
  const sum = counts.slice(level).reduce((all, each) => all + each, 0);
  const name = LEVELS[level] ?? "log";
  return `${level === LEVELS.length - 1 ? name : `${name} and above`} (${number(sum)})`;
}

/** Run of a log message, in short; empty for entries that are not log messages. */
export function producedBy({ kind, level, operation, ambiguous }: LogRow): string {
  if (operation !== null) return `run ${operation}`;
  if (kind !== "notification" && level === null) return "";
  return ambiguous ? "one of several runs" : "no run";
}
