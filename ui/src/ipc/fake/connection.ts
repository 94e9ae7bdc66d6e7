import type {
  ConnectionView,
  Detection,
  Failure,
  Fault,
  HealthProblem,
  LogCause,
  OperationNumber,
  RoundTrip,
  ServerView,
  SessionView,
  StreamStatus,
} from "../bindings";
import { fail, failureOf } from "./fail";
import type { Recorded } from "./log";

/** Connection properties of a simulated server. */
export interface Traits {
  readonly era: "handshake" | "stateless";
  readonly revision: string;
  readonly supported: readonly string[];
  readonly warnings: readonly string[];
  /** The server runs tools as tasks. */
  readonly tasks: boolean;
}

export const plainTraits: Traits = {
  era: "handshake",
  revision: "2025-11-25",
  supported: [],
  warnings: [],
  tasks: false,
};

export const statelessTraits: Traits = {
  ...plainTraits,
  era: "stateless",
  revision: "2026-07-28",
  supported: ["2025-11-25", "2025-06-18"],
};

/** Part of a simulated server that its connection uses. */
interface Connected {
  readonly view: ServerView;
  readonly session: SessionView;
  readonly traits: Traits;
}

/** Services of the simulated host that a connection uses. */
interface Host {
  record(entry: Recorded): number;
  exchange(method: string, params: unknown, answer: unknown, cause: LogCause | null): number;
  send(view: ConnectionView): void;
  moveOperation(operation: OperationNumber, state: "waiting" | "running"): void;
  end(failure: Failure): void;
}

/** Simulated connection of one server: its streams, their events, and injected faults. */
export class FakeConnection {
  view: ConnectionView;
  private readonly host: Host;
  private readonly server: Connected;
  private readonly trips = new Map<string, RoundTrip[]>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private nextStream = 1;
  /** Health problem of the requests. */
  private requests: HealthProblem | null = null;

  constructor(server: Connected, host: Host) {
    this.host = host;
    this.server = server;
    const { transport } = server.view.config;
    const { era, revision, supported, warnings } = server.traits;
    const http = transport.type === "http" || (transport.type === "demo" && transport.http);
    this.view = {
      server: server.view.id,
      generation: server.session.generation,
      transport: http ? "streamable_http" : "stdio",
      era,
      revision,
      supported: [...supported],
      session_fingerprint: http && era === "handshake" ? "9f86d081" : null,
      http_version: http ? "HTTP/1.1" : null,
      detection: [],
      streams: [],
      lines: [],
      lines_total: 0,
      health: null,
      reopened: 0,
      stats: [],
      paused: false,
      answer_delay_ms: 0,
      warnings: [...warnings],
      declaration: server.view.config.declaration,
      roots: null,
    };
    this.change({});
  }

  /** The background stream, if there is one. */
  get listener(): StreamStatus | undefined {
    return this.view.streams.find((stream) => stream.purpose !== "answer");
  }

  /** Sets the health problem of requests; `null` ends it. */
  setRequestProblem(requests: HealthProblem | null): void {
    this.requests = requests;
    this.change({});
  }

  /** Answers the server's request for the list of roots. */
  answerRoots(roots: ConnectionView["roots"]): void {
    this.change({ roots });
  }

  /** Opens another session. */
  reopen(): void {
    this.requests = null;
    this.change({ reopened: this.view.reopened + 1, session_fingerprint: "6b86b273" });
  }

  /** Opens the background stream, if the transport has one. */
  open(): void {
    if (this.view.transport === "stdio") return;
    const stateless = this.server.traits.era === "stateless";
    const stream = this.addStream({ purpose: stateless ? "subscription" : "listener" });
    const sentence = stateless ? "The subscription is open." : "The background stream is open.";
    this.note(stream, "opened", sentence, { state: "open" });
  }

  /** Detects the protocol version of the server; over HTTP by a request. */
  detect(): void {
    const { era, revision } = this.server.traits;
    const ask = (method: string, answer: unknown, cause: LogCause, step: Omit<Detection, "at" | "seq">): void => {
      const seq = this.host.exchange(method, {}, answer, cause);
      this.change({ detection: [...this.view.detection, { ...step, at: Date.now(), seq }] });
    };
    if (era === "stateless") {
      ask("server/discover", { supportedVersions: [revision] }, "probe", {
        code: "discover-answered",
        sentence: "The server answered server/discover: using the stateless protocol.",
        verdict: "stateless",
      });
      return;
    }
    if (this.view.transport !== "stdio") {
      ask("server/discover", { unknown: true }, "probe", {
        code: "discover-unknown",
        sentence: "The server does not support server/discover (-32601).",
        verdict: null,
      });
    }
    ask("initialize", { protocolVersion: revision }, "lifecycle", {
      code: "initialize-answered",
      sentence: `The server answered initialize with ${revision}.`,
      verdict: "handshake",
    });
  }

  addStream(given: Partial<StreamStatus>): number {
    const id = this.nextStream++;
    const stream: StreamStatus = {
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
    };
    this.change({ streams: [...this.view.streams, stream] });
    return id;
  }

  eventIds(stream: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const ids = this.stream(stream).event_ids + 1;
      const last = `${stream}-${ids}`;
      this.note(stream, "event_id", `Event ${last}`, { event_ids: ids, last_event_id: last });
    }
  }

  /** Breaks a stream; the next attempt is announced, and made when it is due. */
  lose(id: number, reason: string, delay: number, delay_by: "server" | "backoff", attempt = 1): void {
    const { budget, lost, operation } = this.stream(id);
    this.note(id, "lost", reason);
    this.note(id, "waiting", `Attempt ${attempt} of ${budget} in ${delay / 1000} s.`, {
      state: "waiting",
      attempt,
      lost: lost + 1,
      reason,
      delay_by,
      next_at: Date.now() + delay,
    });
    if (operation !== null) this.host.moveOperation(operation, "waiting");
    this.later(id, delay, () => this.resume(id));
  }

  resume(id: number): void {
    const { attempt, operation } = this.stream(id);
    this.note(id, "resuming", `Attempt ${attempt} is made.`, { state: "resuming", next_at: null });
    this.later(id, 400, () => {
      this.note(id, "resumed", "The stream is open again.", { state: "open", attempt: 0, delay_by: null });
      if (operation !== null) this.host.moveOperation(operation, "running");
    });
  }

  giveUp(id: number): void {
    clearTimeout(this.timers.get(id));
    const reason = "You stopped reconnecting.";
    this.note(id, "over", reason, { state: "given_up", next_at: null, reason });
  }

  fault(fault: Fault): void {
    switch (fault.type) {
      case "drop_listener": {
        const { id } = this.listener ?? fail("invalid_input", "There is no background stream.");
        return this.lose(id, "You dropped the stream.", 4000, "backoff");
      }
      case "raw_frame":
        this.host.record({ kind: "invalid", out: true, cause: "fault", body: fault.text });
        return;
      case "delay_answers":
        return this.change({ answer_delay_ms: fault.millis });
      case "kill":
        return this.host.end(
          failureOf("process_exited", "The server's process ended.", "You killed it.", [
            "If it ends again, check the server's own log.",
          ]),
        );
      case "pause_reading":
        return this.change({ paused: fault.paused });
      default:
        return;
    }
  }

  roundTrips(method: string, tool: string | null): RoundTrip[] {
    return this.trips.get(`${method}\n${tool ?? ""}`) ?? [];
  }

  /** Records the duration of a request. */
  measured(method: string, micros: number, failed = false, tool: string | null = null): void {
    if (tool !== null) this.measured(method, micros, failed);
    const key = `${method}\n${tool ?? ""}`;
    this.trips.set(key, [...(this.trips.get(key) ?? []), { at: Date.now(), micros, failed }]);
    const { stats } = this.view;
    const at = stats.findIndex((known) => known.method === method && known.tool === tool);
    const { count, failed: before } = stats[at] ?? { count: 0, failed: 0 };
    const all = { min_micros: micros, median_micros: micros, p95_micros: micros, max_micros: micros };
    const next = { method, tool, count: count + 1, failed: before + (failed ? 1 : 0), ...all };
    this.change({ stats: at < 0 ? [...stats, next] : stats.with(at, next) });
  }

  end(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.change({ streams: [], paused: false, answer_delay_ms: 0 });
  }

  private stream(id: number): StreamStatus {
    return this.view.streams.find((stream) => stream.id === id) ?? fail("not_found", "This stream has ended.");
  }

  /** Records an event of a stream. */
  private note(id: number, code: string, sentence: string, change: Partial<StreamStatus> = {}): void {
    const seq = this.host.record({ kind: "note", body: sentence });
    const line = { number: this.view.lines_total + 1, at: Date.now(), stream: id, code, sentence, seq };
    this.change({
      lines: [...this.view.lines, line].slice(-200),
      lines_total: line.number,
      streams: this.view.streams.map((stream) => (stream.id === id ? { ...stream, ...change } : stream)),
    });
  }

  private change(change: Partial<ConnectionView>): void {
    this.view = { ...this.view, ...change };
    this.view.health = this.requests ?? this.streamProblem();
    this.host.send(this.view);
  }

  private streamProblem(): HealthProblem | null {
    const state = this.listener?.state;
    if (state === "waiting" || state === "resuming") {
      const sentence = "Server notifications do not arrive until the background stream reconnects.";
      return { level: "degraded", code: "stream_lost", sentence };
    }
    if (state !== "given_up") return null;
    return {
      level: "degraded",
      code: "stream_over",
      sentence: "Server notifications do not arrive: the server has no background stream.",
    };
  }

  private later(id: number, millis: number, run: () => void): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(id, setTimeout(run, millis));
  }
}
