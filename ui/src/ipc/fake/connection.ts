import type {
  OperationNumber,
  ConnectionView,
  DetectionView,
  Failure,
  FaultInput,
  LogCause,
  MethodStats,
  ServerView,
  SessionView,
  StreamView,
} from "../bindings";
import { fail } from "./fail";
import type { Recorded } from "./log";

/** How a simulated server's connection is. */
export interface Traits {
  readonly era: "handshake" | "stateless";
  readonly revision: string;
  readonly supported: readonly string[];
  /** What becomes of the background stream. */
  readonly listener: "open" | "not_offered";
  readonly warnings: readonly string[];
}

export const plainTraits: Traits = {
  era: "handshake",
  revision: "2025-11-25",
  supported: [],
  listener: "open",
  warnings: [],
};

export const statelessTraits: Traits = {
  era: "stateless",
  revision: "2026-07-28",
  supported: ["2025-11-25", "2025-06-18"],
  listener: "open",
  warnings: [],
};

/** The server of a connection. */
interface Connected {
  readonly view: ServerView;
  readonly session: SessionView;
  readonly traits: Traits;
}

/** What a connection needs of the simulated host. */
interface Host {
  record(entry: Recorded): number;
  exchange(method: string, params: unknown, answer: unknown, cause: LogCause | null): number;
  send(view: ConnectionView): void;
  moveOperation(operation: OperationNumber, state: "waiting" | "running"): void;
  end(failure: Failure): void;
}

/** The simulated connection of one server: its streams, their story, and what disturbs it. */
export class FakeConnection {
  view: ConnectionView;
  private readonly host: Host;
  private readonly server: Connected;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private nextStream = 1;

  constructor(server: Connected, host: Host) {
    this.host = host;
    this.server = server;
    const { transport } = server.view.config;
    const { traits } = server;
    const http = transport.type === "http" || (transport.type === "demo" && transport.http);
    const socket = transport.type === "http" && /^wss?:/.test(transport.url);
    this.view = {
      server: server.view.id,
      generation: server.session.generation,
      transport: socket ? "web_socket" : http ? "streamable_http" : "stdio",
      era: traits.era,
      revision: traits.revision,
      supported: [...traits.supported],
      session_mark: http && !socket && traits.era === "handshake" ? "9f86d081" : null,
      http_version: http && !socket ? "HTTP/1.1" : null,
      detection: [],
      streams: [],
      lines: [],
      lines_total: 0,
      degraded: null,
      reopened: 0,
      stats: [],
      paused: false,
      answer_delay_ms: 0,
      warnings: [...traits.warnings],
    };
    this.send();
  }

  /** Opens the background stream, where the transport has one. */
  open(): void {
    if (this.isHttp) this.listen();
  }

  get isHttp(): boolean {
    return this.view.transport === "streamable_http";
  }

  /** Finds out what the server speaks; over HTTP it is asked first. */
  detect(): void {
    const { host, server } = this;
    const { era, revision } = server.traits;
    const step = (code: string, sentence: string, verdict: DetectionView["verdict"], seq: number): void => {
      this.view = {
        ...this.view,
        detection: [...this.view.detection, { code, sentence, verdict, at: Date.now(), seq }],
      };
    };
    if (era === "stateless") {
      const seq = host.exchange("server/discover", {}, { supportedVersions: [revision] }, "probe");
      step("discover-answered", "The server answered server/discover: using the stateless protocol.", "stateless", seq);
      return;
    }
    if (this.isHttp) {
      const seq = host.exchange("server/discover", {}, { unknown: true }, "probe");
      step("discover-unknown", "The server does not support server/discover (-32601).", null, seq);
    }
    const seq = host.exchange("initialize", { protocolVersion: revision }, { protocolVersion: revision }, "lifecycle");
    step("initialize-answered", `The server answered initialize with ${revision}.`, "handshake", seq);
    this.send();
  }

  private listen(): void {
    const { traits } = this.server;
    const stream = this.addStream({ purpose: traits.era === "stateless" ? "subscription" : "listener" });
    if (traits.listener === "not_offered") {
      this.line(stream, "over", "The server offers no background stream (405).");
      this.changeStream(stream, { state: "not_offered", reason: "It answered 405." });
      return;
    }
    this.line(
      stream,
      "opened",
      traits.era === "stateless" ? "The subscription is open." : "The background stream is open.",
    );
    this.changeStream(stream, { state: "open" });
  }

  addStream(given: Partial<StreamView>): number {
    const id = this.nextStream++;
    this.view.streams.push({
      id,
      purpose: "answer",
      method: null,
      operation: null,
      state: "opening",
      attempt: 0,
      budget: this.server.view.config.stream_attempts ?? 5,
      next_at: null,
      delay_by: null,
      last_event_id: null,
      event_ids: 0,
      lost: 0,
      reason: null,
      ...given,
    });
    return id;
  }

  stream(id: number): StreamView {
    return this.view.streams.find((stream) => stream.id === id) ?? fail("not_found", "This stream has ended.");
  }

  changeStream(id: number, change: Partial<StreamView>): void {
    this.view = {
      ...this.view,
      streams: this.view.streams.map((stream) => (stream.id === id ? { ...stream, ...change } : stream)),
    };
    const listener = this.view.streams.find((stream) => stream.purpose !== "answer");
    this.view.degraded =
      listener?.state === "waiting" || listener?.state === "resuming"
        ? "Server notifications do not arrive until the background stream reconnects. Runs work."
        : listener?.state === "given_up"
          ? "Server notifications no longer arrive. Runs work."
          : null;
    this.send();
  }

  line(stream: number, code: string, sentence: string): void {
    const seq = this.host.record({ kind: "note", body: sentence });
    const line = { number: this.view.lines_total + 1, at: Date.now(), stream, code, sentence, seq };
    this.view = { ...this.view, lines: [...this.view.lines, line].slice(-200), lines_total: line.number };
    this.send();
  }

  eventIds(stream: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const ids = this.stream(stream).event_ids + 1;
      this.line(stream, "event_id", `Event ${stream}-${ids}`);
      this.changeStream(stream, { event_ids: ids, last_event_id: `${stream}-${ids}` });
    }
  }

  /** A stream breaks; the next attempt is announced and made when its time has come. */
  lose(id: number, why: string, delay: number, by: "server" | "backoff", attempt = 1): void {
    const stream = this.stream(id);
    this.line(id, "lost", why);
    this.line(id, "waiting", `Attempt ${attempt} of ${stream.budget} in ${delay / 1000} s.`);
    this.changeStream(id, {
      state: "waiting",
      attempt,
      lost: stream.lost + 1,
      reason: why,
      delay_by: by,
      next_at: Date.now() + delay,
    });
    if (stream.operation !== null) this.host.moveOperation(stream.operation, "waiting");
    this.later(id, delay, () => this.resume(id));
  }

  resume(id: number): void {
    const { attempt, operation } = this.stream(id);
    this.line(id, "resuming", `Attempt ${attempt} is made.`);
    this.changeStream(id, { state: "resuming", next_at: null });
    this.later(id, 400, () => {
      this.line(id, "resumed", "The stream is open again.");
      this.changeStream(id, { state: "open", attempt: 0, delay_by: null });
      if (operation !== null) this.host.moveOperation(operation, "running");
    });
  }

  giveUp(id: number): void {
    clearTimeout(this.timers.get(id));
    this.line(id, "over", "You stopped reconnecting.");
    this.changeStream(id, { state: "given_up", next_at: null, reason: "You stopped reconnecting." });
  }

  fault(fault: FaultInput): void {
    const note = (body: string): void => void this.host.record({ kind: "note", cause: "fault", body });
    switch (fault.type) {
      case "drop_listener": {
        const listener = this.view.streams.find((stream) => stream.purpose !== "answer");
        if (!listener) fail("invalid_input", "There is no background stream.");
        this.lose(listener.id, "You dropped the stream.", 4000, "backoff");
        break;
      }
      case "drop_operation_stream": {
        const found = this.view.streams.find((stream) => stream.operation === fault.operation);
        this.lose(
          found?.id ?? this.addStream({ operation: fault.operation, method: "tools/call", state: "open" }),
          "You dropped the stream.",
          4000,
          "backoff",
        );
        break;
      }
      case "forget_session_id":
      case "stale_session_id":
        note(
          fault.type === "stale_session_id"
            ? "You made Sonde send a stale session ID."
            : "You made Sonde omit the session ID.",
        );
        this.view = { ...this.view, reopened: this.view.reopened + 1, session_mark: "5feceb66" };
        break;
      case "wrong_last_event_id":
        note("You made Sonde resume the background stream with a wrong Last-Event-ID.");
        break;
      case "raw_frame":
        this.host.record({ kind: "invalid", out: true, cause: "fault", body: fault.text });
        break;
      case "delay_answers":
        this.view = { ...this.view, answer_delay_ms: fault.millis };
        break;
      case "kill":
        this.host.end({
          code: "process_exited",
          title: "The server's process ended.",
          cause: "You killed it.",
          advice: ["Reconnect."],
          detail: null,
          stderr_tail: [],
          noise_tail: [],
        });
        break;
      case "pause_reading":
        this.view = { ...this.view, paused: fault.paused };
        break;
    }
    this.send();
  }

  /** Counts a round trip. */
  measured(method: string, micros: number, failed = false): void {
    const known = this.view.stats.find((stats) => stats.method === method);
    const next: MethodStats = known
      ? {
          ...known,
          count: known.count + 1,
          failed: known.failed + (failed ? 1 : 0),
          min_micros: Math.min(known.min_micros, micros),
          median_micros: Math.round((known.median_micros + micros) / 2),
          p95_micros: Math.max(known.p95_micros, micros),
          max_micros: Math.max(known.max_micros, micros),
        }
      : {
          method,
          count: 1,
          failed: failed ? 1 : 0,
          min_micros: micros,
          median_micros: micros,
          p95_micros: micros,
          max_micros: micros,
        };
    this.view = {
      ...this.view,
      stats: known ? this.view.stats.map((stats) => (stats === known ? next : stats)) : [...this.view.stats, next],
    };
    this.send();
  }

  end(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.view = { ...this.view, streams: [], degraded: null, paused: false, answer_delay_ms: 0 };
    this.send();
  }

  private later(id: number, millis: number, run: () => void): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(id, setTimeout(run, millis));
  }

  private send(): void {
    this.host.send(this.view);
  }
}
