import type {
  AnswerInput,
  LogMessageView,
  OperationNumber,
  OperationView,
  CatalogChange,
  CatalogView,
  ConnectStep,
  EnvVar,
  Failure,
  HeaderEntry,
  LogCause,
  Notice,
  ServerRequestView,
  ServerDraft,
  ServerId,
  ServerView,
  SessionView,
  Settings,
} from "../bindings";
import { FakeAuth } from "./auth";
import { FakeChannel } from "./channel";
import { FakeConnection, plainTraits, type Traits } from "./connection";
import { plainTools, type ToolDefinition } from "./definitions";
import { FakeDocument } from "./documents";
import { fail } from "./fail";
import { FakeLog } from "./log";
import type { Answer } from "./results";
import { keptAuth, type FakeKeyring } from "./storedSecrets";

/** One simulated server and everything about it. */
export interface FakeServer {
  view: ServerView;
  session: SessionView;
  /** The tools without their items; other kinds are not simulated. */
  list: CatalogView | null;
  definitions: readonly ToolDefinition[];
  /** What the last reading that differed found, by name. */
  changes: ReadonlyMap<string, CatalogChange>;
  readonly stderr: string[];
  readonly messages: LogMessageView[];
  readonly traits: Traits;
  /** Of the last connect. */
  connection: FakeConnection | null;
  /** Once signing in matters. */
  auth: FakeAuth | null;
  /** How connecting goes. */
  failure: Failure | null;
  /** Connecting never gets further than this step. */
  stuckAt: number | null;
  nextId: number;
}

export interface FakeOperation {
  view: OperationView;
  readonly text: string | null;
  readonly messages: LogMessageView[];
  answer: Answer | null;
  id: number;
  /** Ends what is simulated. */
  stop: () => void;
}

interface FakeServerRequest {
  readonly view: ServerRequestView;
  readonly onAnswer: (answer: AnswerInput) => void;
}

/** A server request as a scenario asks it. */
interface Asked {
  readonly method: string;
  readonly message: string;
  readonly params: unknown;
  readonly schema?: unknown;
  readonly operation?: OperationNumber;
  readonly undeclared?: boolean;
  readonly onAnswer?: (answer: AnswerInput) => void;
}

export const steps = [
  "Start the process",
  "Wait for the first response",
  "Negotiate the protocol version",
  "List the tools",
];

/** All that the simulated host knows. */
export class World {
  readonly channel = new FakeChannel();
  readonly log = new FakeLog((state) => this.channel.send({ type: "log", data: state }));
  readonly servers = new Map<ServerId, FakeServer>();
  order: ServerId[] = [];
  readonly operations = new Map<OperationNumber, FakeOperation>();
  readonly serverRequests = new Map<number, FakeServerRequest>();
  readonly notices: Notice[] = [];
  readonly documents = new Map<number, FakeDocument>();
  readonly drafts = new Map<string, string>();
  keyring: FakeKeyring = { kind: "open", secrets: [] };
  settings: Settings = { theme: "system", selected_server: null };
  private nextServer = 1;
  private nextOperation = 1;
  private nextServerRequest = 1;
  private nextDocument = 1;

  // ---- servers ---------------------------------------------------------------------------------

  addServer(
    draft: ServerDraft,
    definitions: readonly ToolDefinition[] = plainTools,
    confirmed = false,
    traits: Traits = plainTraits,
  ): FakeServer {
    const id = `server-${this.nextServer++}`;
    const server: FakeServer = {
      view: view(id, draft, confirmed || draft.transport.type !== "stdio"),
      session: {
        server: id,
        generation: 0,
        phase: "idle",
        since: Date.now(),
        steps: [],
        identity: null,
        process: null,
        closed: null,
        failure: null,
        ping_micros: null,
        stderr_lines: 0,
        log_messages: 0,
      },
      list: null,
      definitions,
      changes: new Map(),
      stderr: [],
      messages: [],
      traits,
      connection: null,
      auth: null,
      failure: null,
      stuckAt: null,
      nextId: 1,
    };
    this.servers.set(id, server);
    this.order.push(id);
    return server;
  }

  announce(server: FakeServer): void {
    this.channel.send({ type: "server", data: server.view });
    this.channel.send({ type: "session", data: server.session });
    this.channel.send({ type: "server_order", data: [...this.order] });
  }

  setDraft(server: FakeServer, draft: ServerDraft): void {
    server.view = view(server.view.id, keepSecrets(draft), draft.transport.type !== "stdio");
    this.channel.send({ type: "server", data: server.view });
  }

  server(id: ServerId): FakeServer {
    return this.servers.get(id) ?? fail("not_found", "This server is no longer in the list.");
  }

  change(server: FakeServer, change: Partial<SessionView>): void {
    const moved = change.phase !== undefined && change.phase !== server.session.phase;
    server.session = { ...server.session, ...change, ...(moved ? { since: Date.now() } : {}) };
    this.channel.send({ type: "session", data: server.session });
  }

  // ---- connecting --------------------------------------------------------------------------------

  /** Signing in to a server at an address, from now on. */
  auth(server: FakeServer): FakeAuth {
    if (server.view.config.transport.type !== "http")
      fail("invalid_input", "Only a server at an address is signed in to.");
    return (server.auth ??= new FakeAuth(this.channel, server.view.id, { required: false }));
  }

  /** Walks through the steps of connecting. With `at_once` the server is ready afterwards. */
  connect(server: FakeServer, atOnce = false): void {
    const id = server.view.id;
    const generation = server.session.generation + 1;
    this.change(server, {
      generation,
      phase: "connecting",
      steps: progressSteps(0),
      failure: null,
      closed: null,
    });
    this.log.record(id, { kind: "process", out: true, body: `started ${server.view.address}` });
    const failed = (failure: Failure): void =>
      this.change(server, { phase: "failed", failure, steps: progressSteps(1, "failed") });
    const walk = (step: number): void => {
      if (server.session.generation !== generation || server.session.phase !== "connecting") return;
      const { auth } = server;
      if (step === 1 && auth?.traits.required && !auth.view.grant) {
        this.change(server, { steps: progressSteps(1) });
        auth.signIn(
          "The server answered that it needs a sign-in (401).",
          () => walk(2),
          (problem) => {
            if (server.session.generation !== generation || server.session.phase !== "connecting") return;
            failed({ ...problem, code: "sign_in", stderr_tail: [], noise_tail: [] });
          },
        );
        return;
      }
      if (server.failure && step >= 1) {
        this.stderr(server, ...server.failure.stderr_tail);
        failed(server.failure);
        return;
      }
      if (step >= steps.length) {
        this.ready(server);
        return;
      }
      this.change(server, { steps: progressSteps(step) });
      if (server.stuckAt === step) return;
      if (atOnce) walk(step + 1);
      else setTimeout(() => walk(step + 1), 260);
    };
    walk(0);
  }

  private ready(server: FakeServer): void {
    const id = server.view.id;
    server.connection = new FakeConnection(server, {
      record: (entry) => this.log.record(id, entry),
      exchange: (method, params, answer, cause) => this.exchange(server, method, params, answer, cause),
      send: (view) => this.channel.send({ type: "connection", data: view }),
      moveOperation: (number, state) => {
        const operation = this.operations.get(number);
        if (operation && operation.view.state !== "finished") this.update(operation, { state });
      },
      end: (failure) => this.end(server, failure),
    });
    const { revision } = server.traits;
    this.stderr(server, "station: ready, 3 harbours, 40 buoys", "station: listening on stdin");
    server.connection.detect();
    this.log.record(id, {
      kind: "noise",
      body: "Welcome to the station!",
      findings: ["Non-JSON output on stdout. Logs belong on stderr."],
    });
    const identity = {
      name: "sonde-demo",
      title: server.view.config.name,
      version: "0.1.0",
      description: "A weather station at sea, made for trying things out.",
      website_url: "https://example.org/station",
      revision,
      offered: revision,
      instructions: "Ask for the **tide table** before planning a voyage.",
      capabilities: '{"tools":{"listChanged":true},"logging":{},"completions":{}}',
      handshake_ms: 42,
    };
    const process =
      server.view.config.transport.type === "http"
        ? null
        : { pid: 4242, program: "/usr/lib/sonde/sonde-demo", argv: ["sonde-demo", "--stdio"], cwd: "/home/ada" };
    this.change(server, { phase: "ready", identity, process, steps: progressSteps(steps.length) });
    server.connection.open();
    this.list(server, server.definitions);
  }

  /** Reads the tools, with the difference to the last reading. */
  list(server: FakeServer, definitions: readonly ToolDefinition[]): void {
    const before = server.list;
    const old = new Map(server.definitions.map((tool) => [tool.name, tool]));
    const now = new Map(definitions.map((tool) => [tool.name, tool]));
    const some = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, 20) });
    const added = [...now.keys()].filter((name) => !old.has(name));
    const changed = [...now].flatMap(([name, tool]) => (old.has(name) && old.get(name) !== tool ? [name] : []));
    const removed = [...old.keys()].filter((name) => !now.has(name));
    const diff = { added: some(added), removed: some(removed), changed: some(changed), at: Date.now() };
    this.exchange(server, "tools/list", {}, { tools: definitions.length }, "lifecycle");
    server.definitions = definitions;
    const different = added.length + removed.length + changed.length > 0;
    if (before && different) {
      server.changes = new Map([
        ...added.map((name) => [name, "added"] as const),
        ...changed.map((name) => [name, "changed"] as const),
      ]);
    }
    server.list = {
      server: server.view.id,
      kind: "tools",
      revision: (before?.revision ?? 0) + 1,
      loading: false,
      count: definitions.length,
      first: definitions[0]?.name ?? null,
      diff: before ? (different ? diff : before.diff) : null,
      findings: [],
      finding_count: 0,
      error: null,
      supported: true,
      freshness: server.traits.era === "stateless" ? "Fresh for 5 min; the same for every user." : null,
    };
    this.channel.send({ type: "catalog", data: server.list });
  }

  disconnect(server: FakeServer): void {
    if (server.session.phase === "idle" || server.session.phase === "failed") return;
    this.change(server, { phase: "closing" });
    setTimeout(() => this.end(server, null), 220);
  }

  /** Ends the transport, with a failure or in good order. */
  end(server: FakeServer, failure: Failure | null): void {
    server.connection?.end();
    for (const { view } of this.serverRequests.values()) if (view.server === server.view.id) this.close(view.request);
    this.log.record(server.view.id, {
      kind: "process",
      body: failure ? "ended with exit code 3" : "ended with exit code 0",
    });
    this.change(server, {
      phase: failure ? "failed" : "idle",
      failure,
      process: null,
      closed: { exit_code: failure ? 3 : 0, signal: null, at: Date.now() },
    });
    for (const operation of this.operations.values()) {
      if (operation.view.server === server.view.id && operation.view.state !== "finished") {
        this.finishWith(operation, {
          type: "lost",
          reason: "The server's process ended before it answered.",
          code: "connection_lost",
        });
      }
    }
  }

  stderr(server: FakeServer, ...lines: readonly string[]): void {
    for (const line of lines) {
      server.stderr.push(line);
      this.log.record(server.view.id, { kind: "stderr", body: line });
    }
    this.change(server, { stderr_lines: server.stderr.length });
  }

  exchange(server: FakeServer, method: string, params: unknown, answer: unknown, cause: LogCause | null): number {
    const id = server.nextId++;
    const request = this.log.record(server.view.id, {
      kind: "request",
      out: true,
      method,
      id,
      cause,
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    this.log.record(server.view.id, {
      kind: "response",
      method,
      id,
      partner: request,
      micros: 2300,
      body: JSON.stringify({ jsonrpc: "2.0", id, result: answer }),
    });
    server.connection?.measured(method, 1700 + ((id * 617) % 2400));
    return request;
  }

  // ---- operations -------------------------------------------------------------------------------------

  newOperation(server: FakeServer, tool: string, text: string | null): FakeOperation {
    const number = this.nextOperation++;
    const id = server.nextId++;
    const seq = this.log.record(server.view.id, {
      kind: "request",
      out: true,
      method: "tools/call",
      id,
      operation: number,
      body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(tool)}${text === null ? "" : `,"arguments":${text}`},"_meta":{"progressToken":${id}}}}`,
    });
    const operation: FakeOperation = {
      view: {
        operation: number,
        server: server.view.id,
        generation: server.session.generation,
        method: "tools/call",
        target: tool,
        key: tool,
        title: server.definitions.find((each) => each.name === tool)?.title ?? null,
        arguments: text,
        state: "running",
        started_at: Date.now(),
        micros: null,
        rounds: 0,
        token_waits: 0,
        progress: null,
        deadline: { idle_at: Date.now() + 60_000, hard_at: Date.now() + 1_800_000 },
        messages: 0,
        last_message: null,
        outcome: null,
        answered_after_cancel: false,
        late: 0,
        request_seq: seq,
        response_seq: null,
      },
      text,
      messages: [],
      answer: null,
      id,
      stop: () => undefined,
    };
    this.operations.set(number, operation);
    this.update(operation, {});
    return operation;
  }

  update(operation: FakeOperation, change: Partial<OperationView>): void {
    operation.view = { ...operation.view, ...change };
    this.channel.send({ type: "operation", data: operation.view });
  }

  progress(
    operation: FakeOperation,
    progress: number,
    total: number | null,
    message: string | null,
    rate: number | null,
  ): void {
    const count = (operation.view.progress?.count ?? 0) + 1;
    this.log.record(operation.view.server, {
      kind: "notification",
      method: "notifications/progress",
      operation: operation.view.operation,
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progress, total, message } }),
    });
    this.update(operation, {
      progress: { progress, total, message, count, rate },
      deadline: { idle_at: Date.now() + 60_000, hard_at: operation.view.deadline?.hard_at ?? Date.now() + 1_800_000 },
    });
  }

  say(operation: FakeOperation, level: string, words: string): void {
    const seq = this.log.record(operation.view.server, {
      kind: "notification",
      method: "notifications/message",
      operation: operation.view.operation,
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level, data: words } }),
    });
    const message: LogMessageView = { seq, at: Date.now(), level, logger: "station", text: words };
    operation.messages.push(message);
    this.update(operation, { messages: operation.messages.length, last_message: message });
  }

  answer(operation: FakeOperation, answer: Answer): void {
    const cancelled = operation.view.state === "cancelling";
    operation.answer = answer;
    const micros = (Date.now() - operation.view.started_at) * 1000 + 417;
    const seq = this.log.record(operation.view.server, {
      kind: answer.outcome.type === "protocol_error" ? "error" : "response",
      method: "tools/call",
      id: operation.id,
      operation: operation.view.operation,
      micros,
      ...(operation.view.request_seq === null ? {} : { partner: operation.view.request_seq }),
      body: answer.frame(operation.id),
    });
    this.server(operation.view.server).connection?.measured(
      "tools/call",
      micros,
      answer.outcome.type === "protocol_error",
    );
    this.update(operation, { response_seq: seq, answered_after_cancel: cancelled });
    this.finishWith(operation, answer.outcome);
  }

  finishWith(operation: FakeOperation, outcome: NonNullable<OperationView["outcome"]>): void {
    operation.stop();
    for (const { view } of this.serverRequests.values())
      if (view.operation === operation.view.operation) this.close(view.request);
    this.update(operation, {
      state: "finished",
      deadline: null,
      outcome,
      micros: (Date.now() - operation.view.started_at) * 1000 + 417,
    });
  }

  // ---- server requests ---------------------------------------------------------------------------------

  ask(server: FakeServer, asked: Asked): void {
    const request = this.nextServerRequest++;
    const id = server.nextId++;
    const params = JSON.stringify(asked.params);
    const view: ServerRequestView = {
      request,
      server: server.view.id,
      operation: asked.operation ?? null,
      method: asked.method,
      message: asked.message,
      schema: asked.schema === undefined ? null : JSON.stringify(asked.schema),
      params,
      undeclared: asked.undeclared ?? false,
      seq: this.log.record(server.view.id, {
        kind: "request",
        method: asked.method,
        id,
        body: `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(asked.method)},"params":${params}}`,
      }),
    };
    this.serverRequests.set(request, { view, onAnswer: asked.onAnswer ?? (() => undefined) });
    this.channel.send({ type: "server_request", data: view });
  }

  answered(number: number, answer: AnswerInput): void {
    const request = this.serverRequests.get(number) ?? fail("not_found", "This request is already closed.");
    if (answer.type === "raw") {
      try {
        JSON.parse(answer.result);
      } catch (thrown) {
        fail("invalid_input", "The result is not valid JSON.", String(thrown));
      }
    }
    this.log.record(request.view.server, {
      kind: answer.type === "error" ? "error" : "response",
      out: true,
      method: request.view.method,
      partner: request.view.seq,
      body: JSON.stringify({ jsonrpc: "2.0", result: answer }),
    });
    this.close(number);
    request.onAnswer(answer);
  }

  private close(request: number): void {
    this.serverRequests.delete(request);
    this.channel.send({ type: "server_request_removed", data: request });
  }

  // ---- the rest ----------------------------------------------------------------------------------

  openDocument(text: string): { number: number; document: FakeDocument } {
    const number = this.nextDocument++;
    const document = new FakeDocument(number, text);
    this.documents.set(number, document);
    return { number, document };
  }

  notice(notice: Omit<Notice, "id">): void {
    const full = { id: this.notices.length + 1, ...notice };
    this.notices.push(full);
    this.channel.send({ type: "notice", data: full });
  }
}

function progressSteps(current: number, state: ConnectStep["state"] = "running"): ConnectStep[] {
  return steps.map((name, index) => ({
    name,
    state: index < current ? "done" : index === current ? state : "waiting",
    millis: index < current ? 12 + index * 31 : null,
  }));
}

/** Secrets never travel back to the window. */
function keepSecrets(draft: ServerDraft): ServerDraft {
  const keep = <T extends EnvVar | HeaderEntry>(entries: T[]): T[] =>
    entries.map((entry) =>
      entry.value.kind === "secret" ? { ...entry, value: { kind: "secret", input: { type: "keep" } } } : entry,
    );
  const { transport } = draft;
  if (transport.type === "stdio") return { ...draft, transport: { ...transport, env: keep(transport.env) } };
  if (transport.type === "http")
    return { ...draft, transport: { ...transport, headers: keep(transport.headers), auth: keptAuth(transport.auth) } };
  return draft;
}

function view(id: ServerId, draft: ServerDraft, confirmed: boolean): ServerView {
  const { transport } = draft;
  const address =
    transport.type === "stdio"
      ? [transport.command, ...transport.args].join(" ")
      : transport.type === "http"
        ? transport.url
        : "the built-in demo server";
  return { id, config: keepSecrets(draft), address, confirmed, unsaved_secrets: [] };
}
