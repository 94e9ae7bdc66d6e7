import type {
  AnswerInput,
  AnsweringRule,
  AnswerKind,
  CatalogChange,
  CatalogKind,
  CatalogView,
  ConnectStep,
  DefinitionChange,
  DeletionNumber,
  Checks,
  Diagnosis,
  Failure,
  FindingView,
  IssueCounts,
  LogCause,
  LoggedMessage,
  LogNoResponse,
  Notice,
  OperationNumber,
  OperationOutcome,
  OperationView,
  Presentation,
  ResourceSubscription,
  ResourceSubscriptionsView,
  SavedInput,
  ServerConfig,
  ServerId,
  ServerGroupView,
  OpenServerRequest,
  ServerView,
  SessionView,
  TaskList,
  Settings,
  UiEvent,
} from "../bindings";
import { DEFAULT_SETTINGS } from "../settings";
import { FakeAuth } from "./auth";
import { FakeChannel } from "./channel";
import { FakeConnection, plainTraits, type Traits } from "./connection";
import { plainTools, type ToolDefinition } from "./definitions";
import { FakeDocument } from "./documents";
import { listOf, stationIcons } from "./extras";
import type { PromptDefinition } from "./prompts";
import type { SkillDefinition } from "./skills";
import { fail } from "./fail";
import { FakeLog, type Recorded } from "./log";
import { isResourceKind, read as readResource, resourceRows, titleOf } from "./resources";
import type { Answer } from "./results";
import { withoutSecrets, type FakeKeyring } from "./storedSecrets";
import { outcomeIssues, shortView } from "./shortView";

/** A simulated server with its state. */
export interface FakeServer {
  view: ServerView;
  session: SessionView;
  /** The list of tools, without its items. */
  list: CatalogView | null;
  /** The server has resources. */
  hasResources: boolean;
  /** The other lists, without their items. */
  lists: readonly CatalogView[];
  definitions: readonly ToolDefinition[];
  prompts: readonly PromptDefinition[];
  skills: readonly SkillDefinition[];
  /** Result of the last read that differed, by name. */
  changes: ReadonlyMap<string, CatalogChange>;
  /** Subscriptions to resources. */
  subscriptions: readonly ResourceSubscription[];
  taskList: TaskList;
  /** Muted rules of the server. */
  mutedRules: readonly { readonly rule: string; readonly reason: string }[];
  /** Definitions that changed since they were accepted. */
  changedDefinitions: readonly DefinitionChange[];
  readonly stderr: string[];
  traits: Traits;
  /** The last connection. */
  connection: FakeConnection | null;
  /** The sign-in, once it matters. */
  auth: FakeAuth | null;
  /** Failure of the next attempt to connect. */
  failure: Failure | null;
  /** Step at which connecting gets stuck. */
  stuckAt: number | null;
  nextId: number;
}

export interface FakeOperation {
  view: OperationView;
  readonly text: string | null;
  readonly messages: LoggedMessage[];
  answer: Answer | null;
  id: number;
  /** Ends the simulation. */
  stop: () => void;
}

interface FakeServerRequest {
  readonly view: OpenServerRequest;
  readonly onAnswer: (answer: AnswerInput) => void;
  /** Time of arrival, in ms. */
  readonly since: number;
}

/** A server request of a scenario. */
interface Asked {
  readonly method: string;
  readonly message: string;
  readonly params: object;
  readonly schema?: unknown;
  readonly operation?: OperationNumber;
  readonly candidates?: readonly OperationNumber[];
  readonly asTask?: boolean;
  readonly undeclared?: boolean;
  readonly findings?: readonly FindingView[];
  /** Text about the rule for such requests. */
  readonly rule?: string;
  readonly onAnswer?: (answer: AnswerInput) => void;
}

const steps = ["Start the process", "Wait for the first response", "Negotiate the protocol version", "List the tools"];

const inMinutes = (minutes: number): number => Date.now() + minutes * 60_000;

/** State of the simulated host. */
export class World {
  private readonly countIssues: (world: World, server: FakeServer) => IssueCounts;
  readonly channel = new FakeChannel();
  readonly log = new FakeLog((state) => this.channel.send({ type: "log", data: state }));
  readonly servers = new Map<ServerId, FakeServer>();
  order: ServerId[] = [];
  groups: ServerGroupView[] = [];
  private exchanges = 0;
  readonly operations = new Map<OperationNumber, FakeOperation>();
  /** Runs of an earlier start, reported when the history of their server is read. */
  stored: readonly FakeOperation[] = [];
  /** Delays reading the history of a server until it resolves. */
  reading: Promise<void> = Promise.resolve();
  readonly serverRequests = new Map<number, FakeServerRequest>();
  notices: Notice[] = [];
  /** Links with which the app was opened; each arrives once the previous one was taken. */
  offers: string[] = [];
  readonly documents = new Map<number, FakeDocument>();
  readonly drafts = new Map<string, string>();
  keyring: FakeKeyring = { kind: "open", secrets: [] };
  settings: Settings = DEFAULT_SETTINGS;
  fullScreen = false;
  /** Saved inputs of all servers, in order. */
  savedInputs: readonly SavedInput[] = [];
  presentations: readonly Presentation[] = [];
  private lastId = 0;
  private lastNumber = { server: 0, group: 0, operation: 0, request: 0, document: 0, notice: 0, deletion: 0 };
  /** Undo functions of deletions. */
  readonly deletions = new Map<DeletionNumber, () => void>();
  /** The last diagnosis of each server. */
  readonly diagnoses = new Map<ServerId, Diagnosis>();
  /** The checks of each server that were opened. */
  readonly checks = new Map<ServerId, Checks>();
  /** Edits of checks fail, as if the folder could not be written. */
  checksReadOnly = false;

  constructor(countIssues: (world: World, server: FakeServer) => IssueCounts) {
    this.countIssues = countIssues;
  }

  snapshot(): UiEvent[] {
    type Data<T> = Extract<UiEvent, { type: T; data: unknown }>["data"];
    const all = <T extends UiEvent["type"]>(type: T, list: Iterable<Data<T>>): UiEvent[] =>
      Array.from(list, (data) => ({ type, data }) as UiEvent);
    const servers = this.order.map((id) => this.server(id));
    const each = <T extends UiEvent["type"]>(type: T, data: (server: FakeServer) => Data<T> | undefined): UiEvent[] =>
      servers.map(data).flatMap((one) => (one === undefined ? [] : all(type, [one])));
    return [
      { type: "settings", data: this.settings },
      ...each("server", ({ view }) => view),
      ...each("session", ({ session }) => session),
      ...servers.flatMap(({ list, lists }) => all("catalog", [...(list ? [list] : []), ...lists])),
      ...each("resource_subscriptions", subscriptionsOf),
      ...each("task_list", ({ view, taskList }) => ({ server: view.id, list: taskList })),
      ...each("issues", (server) => this.countIssues(this, server)),
      ...each("connection", ({ connection }) => connection?.view),
      ...each("auth", ({ auth }) => auth?.view),
      ...all("diagnosis", this.diagnoses.values()),
      ...all("checks", this.checks.values()),
      ...[...this.serverRequests.values()].flatMap(({ view }) => all("server_request", [view])),
      ...[...this.operations.values()].flatMap(({ view }) => all("operation", [shortView(view)])),
      ...all("notice", this.notices),
      ...each("saved_inputs", ({ view }) => this.inputsOf(view.id)),
      { type: "server_order", data: { order: this.order, groups: this.groups } },
      { type: "offer", data: this.offers.length > 0 },
      { type: "presentations", data: this.presentations.map((one) => this.withRemoved(one)) },
    ];
  }

  // ---- servers ---------------------------------------------------------------------------------

  addServer(
    draft: ServerConfig,
    definitions: readonly ToolDefinition[] = plainTools,
    traits: Traits = plainTraits,
  ): FakeServer {
    const id = `server-${++this.lastNumber.server}`;
    const server: FakeServer = {
      view: view(id, draft),
      session: {
        server: id,
        generation: 0,
        address: "",
        phase: "idle",
        since: Date.now(),
        steps: [],
        identity: null,
        completions: false,
        tool_tasks: false,
        process: null,
        closed: null,
        failure: null,
        ping_micros: null,
        stderr_lines: 0,
      },
      list: null,
      hasResources: false,
      lists: [],
      definitions,
      prompts: [],
      skills: [],
      changes: new Map(),
      subscriptions: [],
      taskList: noTasks,
      mutedRules: [],
      changedDefinitions: [],
      stderr: [],
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

  announce(server: FakeServer): ServerId {
    this.channel.send({ type: "server", data: server.view });
    this.channel.send({ type: "session", data: server.session });
    this.tellOrder();
    return server.view.id;
  }

  /** Sorts the servers by their groups, and sends the order. */
  tellOrder(): void {
    const grouped = new Set(this.groups.flatMap((group) => group.servers));
    this.order = [...this.order.filter((id) => !grouped.has(id)), ...grouped].filter((id) => this.servers.has(id));
    const groups = this.groups.map((group) => ({ ...group, servers: [...group.servers] }));
    this.channel.send({ type: "server_order", data: { order: [...this.order], groups } });
  }

  /** Moves a server to a place in a group, or among the servers without a group (`null`). */
  place(server: ServerId, group: string | null, index: number): void {
    const grouped = new Set(this.groups.flatMap((one) => one.servers));
    const free = this.order.filter((id) => !grouped.has(id) && id !== server);
    for (const one of this.groups) {
      one.servers = one.servers.filter((id) => id !== server);
      if (one.id === group) one.servers.splice(index, 0, server);
    }
    if (group === null) free.splice(index, 0, server);
    this.order = free;
    this.tellOrder();
  }

  addGroup(name: string, servers: readonly ServerId[]): string {
    const id = `group-${++this.lastNumber.group}`;
    for (const group of this.groups) group.servers = group.servers.filter((one) => !servers.includes(one));
    this.groups.push({ id, name, collapsed: false, servers: [...servers] });
    this.tellOrder();
    return id;
  }

  setView(server: FakeServer, change: Partial<ServerView>): void {
    server.view = { ...server.view, ...change };
    this.channel.send({ type: "server", data: server.view });
  }

  setDraft(server: FakeServer, draft: ServerConfig): void {
    this.setView(server, { ...view(server.view.id, draft), log_level: server.view.log_level });
  }

  server(id: ServerId): FakeServer {
    return this.servers.get(id) ?? fail("not_found", "This server is no longer in the list.");
  }

  /** Returns a server with its connection; fails if the server is not connected. */
  connected(id: ServerId): { server: FakeServer; connection: FakeConnection } {
    const server = this.server(id);
    const { session, connection } = server;
    if (session.phase !== "ready" || !connection) fail("not_connected", "This server is not connected. Connect first.");
    return { server, connection };
  }

  change(server: FakeServer, change: Partial<SessionView>): void {
    const moved = change.phase !== undefined && change.phase !== server.session.phase;
    server.session = { ...server.session, ...change, ...(moved ? { since: Date.now() } : {}) };
    this.channel.send({ type: "session", data: server.session });
  }

  // ---- connecting --------------------------------------------------------------------------------

  /** Enables sign-in for a server at an address. */
  auth(id: ServerId): FakeAuth {
    const server = this.server(id);
    if (server.view.config.transport.type !== "http")
      fail("invalid_input", "Only a server at an address is signed in to.");
    return (server.auth ??= new FakeAuth(this.channel, id, { required: false }));
  }

  /** Runs the steps of connecting. With `atOnce` the server is ready on return. */
  connect(server: FakeServer, atOnce = false): void {
    const generation = server.session.generation + 1;
    const forgotten = { identity: null, failure: null, closed: null };
    const { address } = server.view;
    this.change(server, { generation, address, phase: "connecting", steps: progressSteps(0), ...forgotten });
    this.log.begin(server.view.id);
    this.record(server, { kind: "process", out: true, body: `started ${server.view.address}` });
    const current = (): boolean => server.session.generation === generation && server.session.phase === "connecting";
    const failed = (failure: Failure): void =>
      this.change(server, { phase: "failed", failure, steps: progressSteps(1, "failed") });
    const walk = (step: number): void => {
      if (!current()) return;
      const { auth, failure } = server;
      if (step === steps.length) return this.ready(server);
      if (step === 1 && auth?.traits.required && !auth.view.grant) {
        this.change(server, { steps: progressSteps(1) });
        return auth.signIn("The server answered that it needs a sign-in (401).", (problem) => {
          if (!problem) walk(2);
          else if (current()) failed({ ...problem, code: "sign_in", stderr_tail: [], non_message_tail: [] });
        });
      }
      if (failure && step >= 1) {
        this.stderr(server, ...failure.stderr_tail);
        return failed(failure);
      }
      this.change(server, { steps: progressSteps(step) });
      if (server.stuckAt === step) return;
      if (atOnce) walk(step + 1);
      else setTimeout(() => walk(step + 1), 260);
    };
    walk(0);
  }

  private ready(server: FakeServer): void {
    server.connection = new FakeConnection(server, {
      record: (entry) => this.record(server, entry),
      exchange: (method, params, answer, cause) => this.exchange(server, method, params, answer, cause),
      send: (view) => this.channel.send({ type: "connection", data: view }),
      moveOperation: (number, state) => {
        const operation = this.operations.get(number);
        if (operation && operation.view.state !== "finished") this.update(operation, { state });
      },
      end: (failure) => this.end(server, failure),
    });
    const { revision } = server.traits;
    this.changeTasks(server, { ...noTasks, supported: server.traits.tasks });
    this.stderr(server, "station: ready, 3 harbours, 40 buoys", "station: listening on stdin");
    server.connection.detect();
    const finding = "Non-JSON output on stdout. Logs belong on stderr.";
    this.record(server, { kind: "non_message", body: "Welcome to the station!", findings: [finding] });
    this.change(server, {
      phase: "ready",
      completions: server.prompts.length > 0 || server.hasResources,
      tool_tasks: server.traits.tasks,
      identity: {
        name: "sonde-demo",
        title: server.view.config.name,
        version: "0.1.0",
        description: "A weather station at sea, made for trying things out.",
        website_url: "https://example.org/station",
        icons: stationIcons,
        meta: '{"org.example/fleet":"north","org.example/station":{"latitude":59.9,"longitude":5.2}}',
        revision,
        offered: revision,
        instructions: "Ask for the **tide table** before planning a voyage.",
        capabilities: '{"tools":{"listChanged":true},"logging":{},"completions":{}}',
        handshake_ms: 42,
      },
      process:
        server.view.config.transport.type === "http"
          ? null
          : { pid: 4242, program: "/usr/lib/sonde/sonde-demo", argv: ["sonde-demo", "--stdio"], cwd: "/home/ada" },
      steps: progressSteps(steps.length),
    });
    server.connection.open();
    this.list(server, server.definitions);
    this.subscribe(server, (one) => ({ ...one, state: { type: "active" } }));
    for (const kind of ["prompts", "skills", "resources", "resource_templates"] as const) {
      if (!isResourceKind(kind) || server.hasResources) this.listOthers(server, kind, 0);
    }
  }

  /** Reads a list other than that of tools; with revision 0 the list is known to exist but not read. */
  listOthers(
    server: FakeServer,
    kind: Exclude<CatalogKind, "tools">,
    revision = this.revisionOf(server, kind) + 1,
  ): void {
    const keys = isResourceKind(kind)
      ? resourceRows(kind).map(({ key }) => key)
      : kind === "prompts"
        ? server.prompts.map(({ name }) => name)
        : server.skills.map(({ uri }) => uri);
    const catalog = listOf(server.view.id, kind, keys, revision);
    server.lists = [...server.lists.filter((one) => one.kind !== kind), catalog];
    this.channel.send({ type: "catalog", data: catalog });
  }

  private revisionOf(server: FakeServer, kind: CatalogKind): number {
    return server.lists.find((one) => one.kind === kind)?.revision ?? 0;
  }

  /** Reads a resource. */
  read(server: FakeServer, uri: string): FakeOperation {
    const operation = this.newOperation(server, uri, null, { method: "resources/read" });
    const updates = server.subscriptions.find((one) => one.uri === uri)?.updates ?? 0;
    this.answer(operation, readResource(uri, updates));
    if (server.traits.era === "stateless") {
      const freshness = "The server allows caching this result for 1 minute, by this client only.";
      this.update(operation, { freshness, fresh_until: Date.now() + 60_000 });
    }
    this.subscribe(server, (one) => (one.uri === uri ? { ...one, unread: false } : one));
    return operation;
  }

  /** Returns the newest read of a resource whose cached result is still valid. */
  freshReading(server: string, uri: string): OperationNumber | null {
    const views = [...this.operations.values()].map(({ view }) => view);
    const reads = (view: OperationView): boolean => view.method === "resources/read" && view.target === uri;
    const newest = views.findLast((view) => view.server === server && reads(view));
    return newest && (newest.fresh_until ?? 0) > Date.now() ? newest.operation : null;
  }

  /** Changes the subscriptions to resources, and sends them. */
  subscribe(server: FakeServer, change: (one: ResourceSubscription) => ResourceSubscription): void {
    server.subscriptions = server.subscriptions.map(change);
    this.channel.send({ type: "resource_subscriptions", data: subscriptionsOf(server) });
  }

  /** Changes the list of the server's tasks. */
  changeTasks(server: FakeServer, change: Partial<TaskList>): void {
    server.taskList = { ...server.taskList, ...change };
    this.channel.send({ type: "task_list", data: { server: server.view.id, list: server.taskList } });
  }

  /** Handles the server's notification that a resource has changed. */
  updated(server: FakeServer, uri: string, at = Date.now()): void {
    const params = { uri };
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/resources/updated", params });
    this.record(server, { kind: "notification", method: "notifications/resources/updated", body });
    this.subscribe(server, (one) =>
      one.uri === uri ? { ...one, updates: one.updates + 1, updated_at: at, unread: true } : one,
    );
  }

  /** Reads the tools, with the difference to the previous list. */
  list(server: FakeServer, definitions: readonly ToolDefinition[]): void {
    const before = server.list;
    const old = new Map(server.definitions.map((tool) => [tool.name, tool]));
    const now = new Map(definitions.map((tool) => [tool.name, tool]));
    const some = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, 20) });
    const added = [...now.keys()].filter((name) => !old.has(name));
    const changed = [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name));
    const removed = [...old.keys()].filter((name) => !now.has(name));
    this.exchange(server, "tools/list", {}, { tools: definitions.length }, "lifecycle");
    server.definitions = definitions;
    const different = before !== null && added.length + removed.length + changed.length > 0;
    if (different) {
      const as = (change: CatalogChange) => (name: string) => [name, change] as const;
      server.changes = new Map([...added.map(as("added")), ...changed.map(as("changed"))]);
    }
    const keys = definitions.map(({ name }) => name);
    this.changeList(server, {
      ...listOf(server.view.id, "tools", keys, (before?.revision ?? 0) + 1),
      supported: true,
      diff: different
        ? { added: some(added), removed: some(removed), changed: some(changed), at: Date.now() }
        : (before?.diff ?? null),
      ...(server.traits.era === "stateless" && {
        freshness: "The server allows caching this list for 5 minutes, also by shared caches.",
        fresh_until: Date.now() + 300_000,
      }),
    });
    this.tellIssues(server);
  }

  /** Replaces the state of the list of tools. */
  changeList(server: FakeServer, list: CatalogView): void {
    server.list = list;
    this.channel.send({ type: "catalog", data: list });
  }

  disconnect(server: FakeServer): void {
    if (server.session.phase === "idle" || server.session.phase === "failed") return;
    this.change(server, { phase: "closing" });
    setTimeout(() => this.end(server, null), 220);
  }

  /** Ends the transport, with or without a failure. */
  end(server: FakeServer, failure: Failure | null): void {
    server.connection?.end();
    this.subscribe(server, (one) => ({ ...one, state: { type: "pending" } }));
    this.closeRequests((view) => view.server === server.view.id);
    const exit_code = failure ? 3 : 0;
    const isExit = failure !== null && server.session.process !== null;
    this.record(server, { kind: "process", body: `ended with exit code ${exit_code}` });
    this.change(server, {
      phase: failure ? "failed" : "idle",
      failure,
      process: null,
      closed: { exit_code, signal: null, stopped: failure === null, terminated: false, at: Date.now() },
    });
    for (const operation of this.operations.values()) {
      if (operation.view.server === server.view.id && operation.view.state !== "finished") this.lose(operation);
    }
    this.log.endRequests(server.view.id, null, isExit ? "exited" : "disconnected");
  }

  stderr(server: FakeServer, ...lines: readonly string[]): void {
    server.stderr.push(...lines);
    for (const body of lines) this.record(server, { kind: "stderr", body });
    this.change(server, { stderr_lines: server.stderr.length });
  }

  record(server: FakeServer, entry: Recorded): number {
    const seq = this.log.record(server.view.id, entry);
    if (entry.findings && entry.findings.length > 0) this.tellIssues(server);
    return seq;
  }

  /** Sends the issue counts of a server, which may have changed. */
  tellIssues(server: FakeServer): void {
    this.channel.send({ type: "issues", data: this.countIssues(this, server) });
  }

  exchange(server: FakeServer, method: string, params: unknown, result: unknown, cause: LogCause | null): number {
    const id = server.nextId++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const exchange = this.requestHead(server);
    const partner = this.record(server, { kind: "request", out: true, method, id, cause, body, ...exchange });
    const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
    this.responseHead(server, exchange);
    const micros = 1700 + ((id * 617) % 2400);
    this.record(server, { kind: "response", method, id, partner, micros, body: answer });
    server.connection?.measured(method, micros);
    return partner;
  }

  /** Returns the HTTP exchange of a request, for a server reached by HTTP. */
  private requestHead(server: FakeServer): { exchange?: number } {
    const { transport } = server.view.config;
    const demo = transport.type === "demo" && transport.http;
    const url = demo ? "http://127.0.0.1:1/mcp" : transport.type === "http" ? transport.url : "";
    if (!url.startsWith("http")) return {};
    const exchange = ++this.exchanges;
    this.record(server, { kind: "http", out: true, body: `POST ${new URL(url).pathname}`, exchange });
    return { exchange };
  }

  private responseHead(server: FakeServer, exchange: { exchange?: number }): void {
    if (exchange.exchange !== undefined)
      this.record(server, { kind: "http", body: "200 text/event-stream", ...exchange });
  }

  // ---- operations --------------------------------------------------------------------------------

  newOperation(
    server: FakeServer,
    tool: string,
    text: string | null,
    {
      method: called = "tools/call",
      params: further = null,
      byApp = false,
      byHand = null,
    }: {
      readonly method?: string;
      readonly params?: string | null;
      readonly byApp?: boolean;
      readonly byHand?: { method: string; notification: boolean } | null;
    } = {},
  ): FakeOperation {
    const reads = !byHand && called === "resources/read";
    const number = ++this.lastNumber.operation;
    const id = server.nextId++;
    const exchange = this.requestHead(server);
    const given = text === null ? "" : `,"arguments":${text}`;
    const member = reads ? "uri" : "name";
    const params = byHand
      ? (further ?? "{}")
      : `{"${member}":${JSON.stringify(tool)}${given},"_meta":{"progressToken":${id}}}`;
    const method = byHand?.method ?? called;
    const notification = byHand?.notification ?? false;
    const listed = method === "prompts/get" ? server.prompts : server.definitions;
    const operation: FakeOperation = {
      view: {
        operation: number,
        server: server.view.id,
        generation: server.session.generation,
        method,
        target: byHand ? null : tool,
        key: byHand || reads ? null : tool,
        title: reads ? titleOf(tool) : (listed.find((each) => each.name === tool)?.title ?? null),
        cut: false,
        arguments: text,
        params: further,
        notification,
        by_app: byApp,
        state: "running",
        started_at: Date.now(),
        micros: null,
        waited: 0,
        rounds: 0,
        token_waits: 0,
        progress: null,
        deadline: { idle_at: inMinutes(1), hard_at: inMinutes(30) },
        messages: 0,
        last_message: null,
        needs_handshake: null,
        task: null,
        resumable: false,
        outcome: null,
        issues: 0,
        freshness: null,
        fresh_until: null,
        answered_after_cancel: false,
        late: 0,
        message_issues: 0,
        request_seq: this.record(server, {
          ...exchange,
          kind: notification ? "notification" : "request",
          out: true,
          method,
          ...(notification ? {} : { id }),
          operation: number,
          body: notification
            ? `{"jsonrpc":"2.0","method":"${method}","params":${params}}`
            : `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
        }),
        response_seq: null,
        label: { name: null, note: null, pinned: false },
        asked: 0,
        answered: [],
        pages: [],
        app_ended: null,
        earlier: null,
      },
      text,
      messages: [],
      answer: null,
      id,
      stop: () => undefined,
    };
    this.responseHead(server, exchange);
    this.operations.set(number, operation);
    this.update(operation, {});
    return operation;
  }

  operation(number: OperationNumber): FakeOperation {
    return this.operations.get(number) ?? fail("not_found", "This run is no longer in the history.");
  }

  update(operation: FakeOperation, change: Partial<OperationView>): void {
    const view = { ...operation.view, ...change };
    const asked = view.answered.length + view.pages.length + view.pages.filter((page) => page.completed).length;
    operation.view = { ...view, asked, issues: outcomeIssues(view.outcome) };
    this.channel.send({ type: "operation", data: shortView(operation.view) });
    if (change.outcome) this.tellIssues(this.server(view.server));
  }

  /** Records a notification of an operation. */
  notify({ view: { server, operation } }: FakeOperation, method: string, params: object, out = false): number {
    const body = JSON.stringify({ jsonrpc: "2.0", method, params });
    return this.log.record(server, { kind: "notification", out, method, operation, body });
  }

  progress(operation: FakeOperation, progress: number, total: number | null, message: string, rate: number): void {
    const count = (operation.view.progress?.count ?? 0) + 1;
    this.notify(operation, "notifications/progress", { progress, total, message });
    this.update(operation, {
      progress: { progress, total, message, count, rate },
      deadline: { idle_at: inMinutes(1), hard_at: operation.view.deadline?.hard_at ?? inMinutes(30) },
    });
  }

  say(operation: FakeOperation, level: string, text: string): void {
    const seq = this.notify(operation, "notifications/message", { level, logger: "station", data: text });
    const running = [...this.operations.values()].filter(
      ({ view }) => view.server === operation.view.server && view.state !== "finished",
    );
    const ambiguous = running.length > 1;
    const message: LoggedMessage = { seq, at: Date.now(), level, logger: "station", text, ambiguous };
    operation.messages.push(message);
    this.update(operation, { messages: operation.messages.length, last_message: message });
  }

  answer(operation: FakeOperation, answer: Answer): void {
    const { server, request_seq, started_at, state } = operation.view;
    operation.answer = answer;
    const micros = (Date.now() - started_at) * 1000 + 417;
    const failed = answer.outcome.type === "protocol_error";
    const response_seq = this.log.record(server, {
      kind: failed ? "error" : "response",
      method: operation.view.method,
      id: operation.id,
      operation: operation.view.operation,
      micros,
      partner: request_seq,
      body: answer.frame(operation.id),
    });
    this.server(server).connection?.measured(operation.view.method, micros, failed, operation.view.target);
    this.update(operation, { response_seq, answered_after_cancel: state === "cancelling" });
    this.finishWith(operation, answer.outcome, micros);
  }

  lose(operation: FakeOperation): void {
    const reason = "The server's process ended before it answered.";
    this.finishWith(operation, { type: "lost", reason, code: "connection_lost" });
  }

  finishWith(
    operation: FakeOperation,
    outcome: NonNullable<OperationView["outcome"]>,
    micros = (Date.now() - operation.view.started_at) * 1000 + 417,
  ): void {
    operation.stop();
    this.closeRequests((view) => view.operation === operation.view.operation);
    const why = noResponse(outcome);
    if (why !== null) this.log.endRequests(operation.view.server, operation.view.operation, why);
    this.update(operation, { state: "finished", deadline: null, outcome, micros });
  }

  /** Stores the undo function of a deletion. */
  deleted(undo: () => void): DeletionNumber {
    this.deletions.set(++this.lastNumber.deletion, undo);
    return this.lastNumber.deletion;
  }

  deleteOperations(numbers: readonly OperationNumber[]): DeletionNumber | null {
    const gone = numbers.flatMap((number) => this.operations.get(number) ?? []);
    for (const { view } of gone) {
      this.operations.delete(view.operation);
      this.channel.send({ type: "operation_removed", data: view.operation });
    }
    if (gone.length === 0) return null;
    return this.deleted(() => {
      for (const operation of gone) {
        this.operations.set(operation.view.operation, operation);
        this.channel.send({ type: "operation", data: shortView(operation.view) });
      }
    });
  }

  /** Moves the runs of a server to an earlier start, `days` days ago. */
  store(days: (place: number) => number): void {
    this.stored = [...this.operations.values()].map((operation, place) => {
      const { view } = operation;
      const started_at = view.started_at - days(place) * 86_400_000;
      operation.view = {
        ...view,
        generation: 0,
        started_at,
        request_seq: null,
        response_seq: null,
        earlier: storedWhole,
      };
      return operation;
    });
    this.operations.clear();
  }

  async loadHistory(server: ServerId): Promise<void> {
    await this.reading;
    const stored = this.stored.filter(({ view }) => view.server === server);
    this.stored = this.stored.filter(({ view }) => view.server !== server);
    for (const operation of stored) {
      this.operations.set(operation.view.operation, operation);
      this.update(operation, {});
    }
  }

  /** Searches like the host: every word must occur somewhere in the run. */
  searchOperations(server: ServerId, search: string): OperationNumber[] {
    const words = search.toLowerCase().split(/\s+/);
    const found = [...this.operations.values()].filter(({ view, answer, text }) => {
      const all = JSON.stringify([view.target, view.title, view.label, text, view.outcome, answer?.frame(0)]);
      return view.server === server && words.every((word) => all.toLowerCase().includes(word));
    });
    return found.map(({ view }) => view.operation).sort((a, b) => b - a);
  }

  // ---- server requests ---------------------------------------------------------------------------

  ask(server: FakeServer, asked: Asked): void {
    const { method, message, schema, params, operation, candidates, asTask, undeclared, findings, rule } = asked;
    const request = ++this.lastNumber.request;
    const id = server.nextId++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const view: OpenServerRequest = {
      request,
      server: server.view.id,
      operation: operation ?? null,
      candidates: [...(candidates ?? [])],
      method,
      message,
      schema: schema === undefined ? null : JSON.stringify(schema),
      ...(schema !== undefined && { schema_digest: JSON.stringify(schema) }),
      params: JSON.stringify(params),
      as_task: asTask ?? false,
      undeclared: undeclared ?? false,
      findings: [...(findings ?? [])],
      rule: rule ?? null,
      seq: this.record(server, {
        kind: "request",
        method,
        id,
        body,
        findings: undeclared ? [`Sonde did not declare the capability for ${method}.`] : [],
      }),
    };
    this.serverRequests.set(request, { view, onAnswer: asked.onAnswer ?? (() => undefined), since: Date.now() });
    this.channel.send({ type: "server_request", data: view });
  }

  answered(number: number, answer: AnswerInput, rule: AnsweringRule | null = null): void {
    const { view, onAnswer, since } =
      this.serverRequests.get(number) ?? fail("not_found", "This request is already closed.");
    if (answer.type === "raw") {
      try {
        JSON.parse(answer.result);
      } catch (thrown) {
        fail("invalid_input", "The result is not valid JSON.", String(thrown));
      }
    }
    this.log.record(view.server, {
      kind: answer.type === "error" ? "error" : "response",
      out: true,
      method: view.method,
      partner: view.seq,
      body: JSON.stringify({ jsonrpc: "2.0", result: answer }),
    });
    this.closeRequests((each) => each === view);
    this.keepAnswer(view, answer, rule, since);
    onAnswer(answer);
  }

  /** Stores the answer and the accepted page with the run, or with each run that the request may belong to. */
  private keepAnswer(view: OpenServerRequest, answer: AnswerInput, rule: AnsweringRule | null, since: number): void {
    const params = JSON.parse(view.params) as { mode?: string; url?: string; message?: string };
    const accepted = answer.type === "raw" && params.mode === "url";
    const page = { url: params.url ?? "", message: params.message ?? "", required: false, completed: false };
    const kind: AnswerKind = accepted ? "accept" : answer.type === "raw" ? "result" : answer.type;
    const { request, method, message, seq } = view;
    for (const run of view.operation === null ? view.candidates : [view.operation]) {
      const operation = this.operations.get(run);
      if (!operation) continue;
      this.update(operation, {
        waited: operation.view.waited + (rule === null ? Math.max(1, Date.now() - since) * 1000 : 0),
        answered: [...operation.view.answered, { request, method, message, answer: kind, rule, seq }],
        pages: accepted ? [...operation.view.pages, page] : operation.view.pages,
      });
    }
  }

  private closeRequests(which: (request: OpenServerRequest) => boolean): void {
    for (const [number, { view }] of this.serverRequests) {
      if (!which(view)) continue;
      this.serverRequests.delete(number);
      this.channel.send({ type: "server_request_removed", data: number });
    }
  }

  // ---- the rest ----------------------------------------------------------------------------------

  /** Returns a unique id. */
  nextId(of: string): string {
    return `${of}-${++this.lastId}`;
  }

  tellInputs(server: ServerId): void {
    this.channel.send({ type: "saved_inputs", data: this.inputsOf(server) });
  }

  private inputsOf(server: ServerId) {
    return { server, inputs: this.savedInputs.filter((one) => one.server === server) };
  }

  /** Sends all presentations, with the references that no longer exist. */
  tellPresentations(): void {
    this.channel.send({ type: "presentations", data: this.presentations.map((one) => this.withRemoved(one)) });
  }

  private withRemoved(presentation: Presentation): Presentation {
    const inputs = new Map(this.savedInputs.map((one) => [one.id, one]));
    const steps = presentation.steps.map((step) => ({
      ...step,
      server_name: this.servers.get(step.server)?.view.config.name ?? step.server_name,
      server_removed: !this.servers.has(step.server),
      inputs: step.inputs.map(({ id, name }) => {
        const saved = inputs.get(id);
        const removed = saved === undefined || !this.servers.has(saved.server);
        return { id, name: saved?.name ?? name, removed };
      }),
    }));
    return { ...presentation, steps };
  }

  openDocument(text: string): FakeDocument {
    const number = ++this.lastNumber.document;
    const document = new FakeDocument(number, text);
    this.documents.set(number, document);
    return document;
  }

  notice(level: Notice["level"], code: string, title: string, more: Partial<Notice> = {}): void {
    const notice = { id: ++this.lastNumber.notice, level, server: null, code, title, detail: null, ...more };
    this.notices.push(notice);
    this.channel.send({ type: "notice", data: notice });
  }
}

function progressSteps(current: number, state: ConnectStep["state"] = "running"): ConnectStep[] {
  return steps.map((name, index) => ({
    name,
    state: index < current ? "done" : index === current ? state : "waiting",
    millis: index < current ? 12 + index * 31 : null,
  }));
}

function view(id: ServerId, draft: ServerConfig): ServerView {
  const { transport } = draft;
  const address =
    transport.type === "stdio"
      ? [transport.command, ...transport.args]
          .map((word) => (/^$|[\s"]/.test(word) ? JSON.stringify(word) : word))
          .join(" ")
      : transport.type === "http"
        ? transport.url
        : "the built-in demo server";
  const missing_inputs = [...new Set(JSON.stringify(transport).match(/\$\{(?:input|env):[^}"]*\}/g))];
  return {
    id,
    config: withoutSecrets(draft),
    address,
    confirmed: transport.type !== "stdio",
    log_level: null,
    unsaved_secrets: [],
    missing_inputs,
  };
}

/**
 * Returns the reason that the request of an operation with this outcome has no response. A lost connection is
 * recorded separately.
 */
function noResponse(outcome: OperationOutcome): LogNoResponse | null {
  if (outcome.type === "cancelled" || outcome.type === "timed_out") return outcome.type;
  if (outcome.type === "stopped_waiting") return "cancelled";
  return outcome.type === "lost" && outcome.code !== "connection_lost" ? "lost" : null;
}

/** A run of an earlier start of which nothing but its messages is missing. */
export const storedWhole = { arguments_redacted: false, result_dropped: false, transcript: false };

/** A task list of which nothing is known. */
const noTasks: TaskList = {
  supported: false,
  loading: false,
  read_at: null,
  error: null,
  partial: null,
  unreadable: 0,
  tasks: [],
};

/** Returns the subscriptions to resources as the host sends them. Servers with resources support them. */
function subscriptionsOf({
  view: { id },
  hasResources,
  subscriptions,
  session,
}: FakeServer): ResourceSubscriptionsView {
  return { server: id, supported: hasResources && session.generation > 0, subscriptions: [...subscriptions] };
}
