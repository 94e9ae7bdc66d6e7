import type { ConnectionView, DelayBy, EraView, FaultInput, StreamView, TransportKind } from "../../ipc/bindings";
import { count, elapsed } from "../../lib/format";

export type Tone = "quiet" | "ok" | "busy" | "warn" | "bad";

export const TRANSPORT_WORDS: Record<TransportKind, string> = {
  stdio: "Program (stdio)",
  streamable_http: "Streamable HTTP",
  http_sse: "HTTP+SSE",
  web_socket: "WebSocket",
};

export function eraWords(era: EraView): string {
  return era === "handshake"
    ? "Handshake: a connection opens with initialize"
    : "Stateless: every request stands for itself";
}

/** The stream on which the server says things on its own, if there is one. */
export function listenerOf(connection: ConnectionView): StreamView | undefined {
  return connection.streams.find((stream) => stream.purpose !== "answer");
}

/** What a stream is for. */
export function streamName(stream: StreamView): string {
  switch (stream.purpose) {
    case "listener":
      return "Background stream";
    case "subscription":
      return "Subscription";
    case "answer":
      return stream.call === null
        ? `Answer to ${stream.method ?? "a request"}`
        : `Answer to ${stream.method ?? "a call"}, run ${stream.call}`;
  }
}

/** What happened on a stream so far, in one line; empty when there is nothing to say. */
export function streamFacts(stream: StreamView): string {
  const { event_ids: ids, last_event_id: last, lost } = stream;
  const said = last === null ? "" : `“${last.slice(0, 80)}”`;
  const facts = [
    // A stream that was quiet until it broke has an id to continue from, but none was counted.
    ids > 0 ? `${count(ids, "event id", "event ids")}${said && `, the last ${said}`}` : said && `Last event id ${said}`,
    // Subscriptions have no ids to wait for.
    ids === 0 && !said && stream.purpose === "listener" ? "No event ids so far" : "",
    lost > 0 ? `lost ${count(lost, "time", "times")}` : "",
  ].filter((fact) => fact !== "");
  const line = facts.join(", ");
  const reason = stream.reason ?? "";
  return line && reason ? `${line}. ${reason}` : line || reason;
}

export interface Said {
  readonly text: string;
  readonly tone: Tone;
}

/** Where a stream stands, in plain words. `now` in ms since the epoch. */
export function streamWords(stream: StreamView, now: number): Said {
  switch (stream.state) {
    case "opening":
      return { text: "Opening…", tone: "busy" };
    case "open":
      return stream.purpose === "answer"
        ? { text: "Open: the answer is under way", tone: "ok" }
        : { text: "The server can push: listening", tone: "ok" };
    case "waiting":
      return {
        text: `Lost. Attempt ${stream.attempt} of ${stream.budget} ${countdown(stream.next_at, now)}${delayWords(stream.delay_by)}`,
        tone: "warn",
      };
    case "resuming":
      return { text: `Lost. Attempt ${stream.attempt} of ${stream.budget} is being made`, tone: "warn" };
    case "not_offered":
      return stream.purpose === "subscription"
        ? { text: "This server takes no subscription. That is normal.", tone: "quiet" }
        : { text: "This server does not push (405). That is normal.", tone: "quiet" };
    case "ended":
      return { text: "Over, as it should be", tone: "quiet" };
    case "given_up":
      return { text: "Given up: nothing more arrives on it", tone: "bad" };
  }
}

/** `in 3 s`, `in 1:05`, `now`. */
export function countdown(at: number | null, now: number): string {
  const seconds = at === null ? 0 : Math.ceil((at - now) / 1000);
  if (seconds <= 0) return "now";
  return seconds < 60 ? `in ${seconds} s` : `in ${elapsed(seconds * 1000)}`;
}

function delayWords(by: DelayBy | null): string {
  switch (by) {
    case "server":
      return ", the server set the delay";
    case "backoff":
      return ", Sonde set the delay";
    case "user":
      return ", as you asked";
    case null:
      return "";
  }
}

/** Why there is no background stream to show. */
export function noStreamWords(connection: ConnectionView): string {
  switch (connection.transport) {
    case "stdio":
      return "A program pushes on its standard output, so there is no stream of its own to watch.";
    case "web_socket":
      return "Everything goes over one WebSocket, so there is no stream of its own to watch.";
    case "streamable_http":
    case "http_sse":
    case null:
      return "No background stream is open.";
  }
}

/** Disturbances that have an end of their own. */
export type Disturbance = FaultInput["type"];

export interface FaultSituation {
  readonly ready: boolean;
  readonly connection: ConnectionView | undefined;
  /** Calls whose stream may be open. */
  readonly running: number;
}

/** Why a disturbance makes no sense now; `null` where it does. */
export function faultReason(fault: Disturbance, { ready, connection, running }: FaultSituation): string | null {
  if (!ready || !connection) return "Connect first.";
  const { transport } = connection;
  const stateless = connection.era === "stateless";
  const listener = listenerOf(connection);
  switch (fault) {
    case "drop_listener":
      if (!listener) return noStreamWords(connection);
      if (listener.state === "not_offered") return "The server has no such stream.";
      return listener.state === "open" ? null : "The stream is not open now.";
    case "drop_call_stream":
      if (transport !== "streamable_http") return "Only over Streamable HTTP does an answer have a stream of its own.";
      return running > 0 ? null : "No call is under way.";
    case "forget_session_id":
    case "stale_session_id":
      if (stateless) return "In the stateless way there is no session.";
      if (transport !== "streamable_http") return "Only Streamable HTTP has session ids.";
      return connection.session_mark === null ? "The server gave out no session id." : null;
    case "wrong_last_event_id":
      if (transport !== "streamable_http") return "Only a stream of Streamable HTTP is resumed.";
      if (stateless) return "In the stateless way no stream is resumed.";
      if (!listener || listener.state === "not_offered") return "The server has no such stream.";
      return null;
    case "raw_frame":
    case "pause_reading":
      return null;
    case "delay_answers":
      return stateless ? "In the stateless way a server asks only inside an answer." : null;
    case "kill":
      return transport === "stdio" || transport === "web_socket"
        ? null
        : "Over HTTP there is no program and no socket to drop.";
  }
}

/** `5 s`, `1.5 s`. */
export function delayText(millis: number): string {
  return `${Number((millis / 1000).toFixed(2))} s`;
}
