import type { ConnectionView, DelaySource, Era, Fault, StreamStatus, TransportKind } from "../../ipc/bindings";
import { span } from "../../components/taskWords";
import { count } from "../../lib/format";

export type Tone = "quiet" | "ok" | "busy" | "warn" | "bad";

export const TRANSPORT_WORDS: Record<TransportKind, string> = {
  stdio: "stdio",
  streamable_http: "Streamable HTTP",
  http_sse: "HTTP+SSE",
  web_socket: "WebSocket",
};

export function eraWords(era: Era): string {
  return era === "handshake"
    ? "Handshake (a session starts with initialize)"
    : "Stateless (every request is self-contained)";
}

/** Stream for messages that the server sends on its own, if there is one. */
export function listenerOf(connection: ConnectionView): StreamStatus | undefined {
  return connection.streams.find((stream) => stream.purpose !== "answer");
}

/** Name of a stream, by its purpose. */
export function streamName({ purpose, operation, method }: StreamStatus): string {
  if (purpose !== "answer") return purpose === "listener" ? "Background stream" : "Subscription";
  return operation === null
    ? `Response to ${method ?? "a request"}`
    : `Response to ${method ?? "a call"}, run ${operation}`;
}

/** Facts about a stream so far, in one line; empty if there are none. */
export function streamFacts(stream: StreamStatus): string {
  const { event_ids: ids, last_event_id: last, lost } = stream;
  const said = last === null ? "" : `“${last.slice(0, 80)}”`;
  const facts = [
    // A stream that was quiet until it broke has an id to resume from, but no counted ids.
    ids > 0 ? `${count(ids, "event ID", "event IDs")}${said && `, the last ${said}`}` : said && `Last event ID ${said}`,
    // Subscriptions have no ids to wait for.
    ids === 0 && !said && stream.purpose === "listener" ? "No event IDs so far" : "",
    lost > 0 ? `lost ${count(lost, "time", "times")}` : "",
  ].filter((fact) => fact !== "");
  const line = facts.join(", ");
  const reason = stream.reason ?? "";
  return line && reason ? `${line}. ${reason}` : line || reason;
}

export interface StreamSentence {
  readonly text: string;
  readonly tone: Tone;
}

/** State of a stream in plain words. `now` is in ms since the epoch. */
export function streamWords(stream: StreamStatus, now: number): StreamSentence {
  const attempt = `Reconnecting: attempt ${stream.attempt} of ${stream.budget}`;
  const words: Readonly<Record<StreamStatus["state"], readonly [text: string, tone: Tone]>> = {
    opening: ["Opening…", "busy"],
    open: [stream.purpose === "answer" ? "Open, waiting for the response" : "Open, listening", "ok"],
    waiting: [`${attempt} ${countdown(stream.next_at, now)}${delayWords(stream.delay_by)}`, "warn"],
    resuming: [attempt, "warn"],
    not_offered: [
      `Not offered by this server${stream.purpose === "subscription" ? "" : " (HTTP 405)"}. That is normal.`,
      "quiet",
    ],
    ended: ["Ended normally", "quiet"],
    given_up: ["Given up: nothing more will arrive", "bad"],
  };
  const [text, tone] = words[stream.state];
  return { text, tone };
}

/** `in 3 s`, `in 1:05`, `now`. */
export function countdown(at: number | null, now: number): string {
  return at === null || at <= now ? "now" : `in ${span(at - now)}`;
}

function delayWords(by: DelaySource | null): string {
  const words = { server: "delay set by the server", backoff: "delay set by Sonde", user: "requested by you" };
  return by === null ? "" : ` (${words[by]})`;
}

/** Explains the absence of a background stream. */
export function noStreamWords({ transport }: ConnectionView): string {
  return transport === "stdio"
    ? "stdio has no separate background stream: the server’s messages arrive on stdout."
    : transport === "web_socket"
      ? "A WebSocket has no separate background stream: all messages share one socket."
      : transport === "http_sse"
        ? "HTTP+SSE has no separate background stream: all messages of the server arrive on its one stream."
        : "No background stream is open.";
}

/** Faults that end by themselves. */
export type Disturbance = Fault["type"];

export interface FaultSituation {
  readonly ready: boolean;
  readonly connection: ConnectionView | undefined;
  /** Number of operations whose stream may be open. */
  readonly running: number;
}

/** Reason why a fault makes no sense at present; `null` if it does. */
export function faultReason(fault: Disturbance, { ready, connection, running }: FaultSituation): string | null {
  if (!ready || !connection) return "Connect first.";
  const { transport } = connection;
  const stateless = connection.era === "stateless";
  const listener = listenerOf(connection);
  switch (fault) {
    case "drop_listener":
      if (!listener) return noStreamWords(connection);
      if (listener.state === "not_offered") return "The server offers no background stream.";
      return listener.state === "open" ? null : "The stream is not open.";
    case "drop_operation_stream":
      if (transport !== "streamable_http") return "Only over Streamable HTTP does a response have its own stream.";
      return running > 0 ? null : "Nothing is running.";
    case "forget_session_id":
    case "stale_session_id":
      if (stateless) return "There is no session in stateless mode.";
      if (transport !== "streamable_http") return "Only Streamable HTTP has session IDs.";
      return connection.session_fingerprint === null ? "The server assigned no session ID." : null;
    case "wrong_last_event_id":
      if (transport !== "streamable_http") return "Only Streamable HTTP streams can be resumed.";
      if (stateless) return "Streams are not resumed in stateless mode.";
      if (!listener || listener.state === "not_offered") return "The server offers no background stream.";
      return null;
    case "raw_frame":
    case "pause_reading":
      return null;
    case "delay_answers":
      return stateless ? "In stateless mode a server can ask for input only inside a response." : null;
    case "kill":
      return transport === "stdio" || transport === "web_socket"
        ? null
        : "HTTP has no process to kill and no socket to drop.";
  }
}

/** `5 s`, `1.5 s`. */
export function delayText(millis: number): string {
  return `${Number((millis / 1000).toFixed(2))} s`;
}
