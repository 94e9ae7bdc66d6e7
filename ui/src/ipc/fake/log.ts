import { fail } from "./fail";
import { finding } from "./finding";
import type { LogDetail, LogFilter, LogNoResponse, LogRow, LogViewState, OperationNumber, ServerId } from "../bindings";

interface Entry {
  row: LogRow;
  readonly body: string;
  readonly messages: readonly string[];
  /** Sequence number of the entry that stands for this one in its group. */
  leader: number | null;
}

/** Known members of an entry when it is recorded; the others are derived. */
export interface Recorded extends Partial<Omit<LogRow, "id" | "findings">> {
  readonly kind: LogRow["kind"];
  readonly body: string;
  readonly id?: number;
  readonly findings?: readonly string[];
  /** The HTTP exchange of the entry. */
  readonly exchange?: number;
}

interface View {
  readonly server: ServerId;
  filter: LogFilter;
  epoch: number;
  changes: number;
  readonly open: Set<number>;
  rows: Entry[];
}

/** The simulated wire log of all servers, with its views. */
export class FakeLog {
  private readonly entries = new Map<ServerId, Entry[]>();
  private readonly views = new Map<number, View>();
  private readonly exchanges = new Map<string, { readonly head: Entry; leader: Entry }>();
  private readonly changed: (state: LogViewState) => void;
  /** Start of the current connection, by server. */
  private readonly began = new Map<ServerId, number>();
  private nextView = 1;

  constructor(changed: (state: LogViewState) => void) {
    this.changed = changed;
  }

  record(server: ServerId, { body, id, findings = [], exchange, ...known }: Recorded): number {
    const list = this.of(server);
    const at = Date.now();
    const began = this.began.get(server) ?? at;
    this.began.set(server, began);
    const row: LogRow = {
      seq: list.length + 1,
      at,
      began,
      out: false,
      method: null,
      id: id === undefined ? null : String(id),
      bytes: new TextEncoder().encode(body).length,
      has_body: !["http", "note", "rule", "process"].includes(known.kind),
      micros: null,
      partner: null,
      no_response: null,
      operation: null,
      ambiguous: false,
      cause: null,
      preview: body.slice(0, 140).replaceAll("\n", " "),
      ...summarize(known.kind, known.method ?? null, body),
      group: null,
      findings: findings.length,
      severity: findings.length === 0 ? null : "error",
      rule: findings.length === 0 ? null : "remarkable",
      error: ERRORS.includes(known.kind) || (known.kind === "process" && /exit code [1-9]/.test(body)),
      ...known,
    };
    const entry: Entry = { row, body, messages: findings, leader: null };
    const request = row.partner === null || row.kind === "rule" ? undefined : list[row.partner - 1];
    if (request)
      request.row = { ...request.row, partner: row.seq, micros: row.micros, no_response: null, error: false };
    this.group(list, entry, exchange === undefined ? undefined : `${server} ${exchange}`);
    list.push(entry);
    for (const [number, view] of this.views) {
      if (view.server !== server) continue;
      if (matches(entry, view)) view.rows.push(entry);
      view.changes += 1;
      this.changed(this.state(number, view));
    }
    return row.seq;
  }

  /** Starts the connection that later entries belong to. */
  begin(server: ServerId): void {
    this.began.delete(server);
  }

  /**
   * Marks the requests of an operation, or all requests of the connection, as no longer waiting for a response.
   */
  endRequests(server: ServerId, of: OperationNumber | null, why: LogNoResponse): void {
    for (const entry of this.of(server)) {
      const { kind, out, began, partner, no_response, operation } = entry.row;
      const isMeant = began === this.began.get(server) && (of === null || (out && operation === of));
      if (!isMeant || kind !== "request" || partner !== null || no_response !== null) continue;
      entry.row = { ...entry.row, no_response: why, error: out && why !== "cancelled" };
    }
    this.readAgain(server);
  }

  /** Finds the entry that stands for this one: the request of its exchange, or a similar notification right before. */
  private group(list: readonly Entry[], entry: Entry, exchange: string | undefined): void {
    const { row } = entry;
    const last = list.at(-1);
    const http = exchange === undefined ? undefined : (this.exchanges.get(exchange) ?? { head: entry, leader: entry });
    if (exchange !== undefined && http && row.out && row.kind !== "http") {
      // The message is more informative than the HTTP head.
      if (http.leader !== entry) http.leader.leader = row.seq;
      row.group = http.leader.row.group ?? { ...NO_GROUP, http: http.head.row.summary, until: row.at };
      row.group.entries += http.leader === entry ? 0 : 1;
      http.leader = entry;
    }
    if (exchange !== undefined && http) this.exchanges.set(exchange, http);
    const repeated =
      row.kind === "notification" &&
      !row.out &&
      last?.row.kind === "notification" &&
      !last.row.out &&
      last.row.method === row.method &&
      last.row.level === row.level &&
      last.row.findings + row.findings === 0 &&
      last.row.operation === row.operation;
    const leader = repeated
      ? (list[(last.leader ?? last.row.seq) - 1] ?? last)
      : http && (row.kind === "http" || row.kind === "sse")
        ? http.leader
        : undefined;
    if (!leader || leader === entry) return;
    entry.leader = leader.row.seq;
    const group = leader.row.group ?? { ...NO_GROUP, http: http?.head.row.summary ?? null };
    const status = row.kind === "http" && !row.out ? Number(/\d{3}/.exec(entry.body)?.[0]) : group.status;
    const shown = repeated ? row.seq : leader.row.seq;
    leader.row = { ...leader.row, group: { ...group, entries: group.entries + 1, until: row.at, shown, status } };
  }

  open(server: ServerId, filter: LogFilter): LogViewState {
    const number = this.nextView++;
    this.views.set(number, { server, filter, epoch: 0, changes: 0, open: new Set(), rows: [] });
    return this.filter(number, filter);
  }

  filter(number: number, filter: LogFilter): LogViewState {
    const view = this.views.get(number) ?? fail("not_found", "This view was closed.");
    view.filter = filter;
    view.epoch++;
    view.rows = this.of(view.server).filter((entry) => matches(entry, view));
    return this.state(number, view);
  }

  openGroup(number: number, seq: number, open: boolean): LogViewState {
    const view = this.views.get(number) ?? fail("not_found", "This view was closed.");
    const leader = this.entry(view.server, seq).leader ?? seq;
    if (open) view.open.add(leader);
    else view.open.delete(leader);
    return this.filter(number, view.filter);
  }

  rows(number: number, from: number, count: number): LogRow[] {
    const view = this.views.get(number);
    return (view?.rows ?? []).slice(from, from + count).map(({ row }) => {
      const group = view !== undefined && isGrouped(view.filter) ? row.group : null;
      if (view === undefined || group === null) return { ...row, group };
      const open = view.open.has(row.seq);
      const shown = open || group.http !== null ? row.seq : group.shown;
      return { ...row, summary: this.entry(view.server, shown).row.summary, group: { ...group, open, shown } };
    });
  }

  index(number: number, seq: number): number | null {
    const at = this.views.get(number)?.rows.findIndex((entry) => entry.row.seq >= seq) ?? -1;
    return at < 0 ? null : at;
  }

  close(number: number): void {
    this.views.delete(number);
  }

  detail(server: ServerId, seq: number): LogDetail {
    const { row, body, messages } = this.entry(server, seq);
    return {
      row,
      findings: messages.map((message) => finding("remarkable", message)),
      summary: row.has_body ? null : body,
      headers: row.kind === "http" && !row.has_body ? [{ name: "content-type", value: "text/event-stream" }] : [],
      dropped: 0,
      redacted: false,
      curl: row.kind === "http",
    };
  }

  body(server: ServerId, seq: number): string {
    return this.entry(server, seq).body;
  }

  /** Returns the number of messages received in the present connection, and the findings in entries. */
  found(server: ServerId) {
    const entries = this.of(server);
    const received = entries.filter(({ row }) => !row.out && ["response", "error", "notification"].includes(row.kind));
    const cases = entries.flatMap(({ row, messages }) =>
      messages.map((message) => ({ seq: row.seq, method: row.method, finding: finding("remarkable", message) })),
    );
    return { messages: received.length, cases };
  }

  clear(server: ServerId): void {
    this.entries.set(server, []);
    this.readAgain(server);
  }

  /** Fills the views of a server anew. */
  private readAgain(server: ServerId): void {
    for (const [number, view] of this.views) {
      if (view.server === server) this.changed(this.filter(number, view.filter));
    }
  }

  private entry(server: ServerId, seq: number): Entry {
    return this.of(server)[seq - 1] ?? fail("entry_dropped", "This entry is no longer stored.");
  }

  private of(server: ServerId): Entry[] {
    const known = this.entries.get(server) ?? [];
    this.entries.set(server, known);
    return known;
  }

  private state(number: number, view: View): LogViewState {
    const all = this.of(view.server);
    return {
      view: number,
      epoch: view.epoch,
      rows: view.rows.length,
      gone: 0,
      changes: view.changes,
      changed_from: 0,
      total: all.length,
      last: all.at(-1)?.row.seq ?? 0,
      bytes: all.reduce((sum, entry) => sum + entry.row.bytes, 0),
      dropped: 0,
      max_rows: 100_000,
      max_bytes: 256 * 1024 * 1024,
      max_bytes_of_all: 512 * 1024 * 1024,
      searching: false,
      methods: [...new Set(all.flatMap(({ row }) => row.method ?? []))],
      levels: LEVELS.map((_, level) => all.filter(({ row }) => row.level === level).length),
      loggers: [...new Set(all.flatMap(({ row }) => row.logger ?? []))].sort(),
    };
  }
}

const ERRORS: readonly LogRow["kind"][] = ["error", "invalid", "non_message"];

const NO_GROUP = { entries: 1, open: false, until: 0, shown: 0, http: null, status: null };

/** Returns true if the filter only groups entries. */
function isGrouped(filter: LogFilter): boolean {
  const { grouped, kinds, errors, methods, operation, out, findings_only, text, least_level, logger } = filter;
  const narrowed =
    kinds.length + methods.length > 0 ||
    errors ||
    operation !== null ||
    out !== null ||
    findings_only ||
    filter.rule !== null;
  return grouped && !narrowed && text === "" && least_level === null && logger === null;
}

/** Summarizes a message. */
function summarize(
  kind: LogRow["kind"],
  method: string | null,
  body: string,
): Pick<LogRow, "summary" | "level" | "logger"> {
  const none = { summary: null, level: null, logger: null };
  if (kind === "http") return { ...none, summary: body.split("\n")[0] ?? "" };
  if (!body.startsWith("{")) return none;
  let message: { params?: Record<string, unknown>; result?: Record<string, unknown>; error?: Record<string, unknown> };
  try {
    message = JSON.parse(body) as typeof message;
  } catch {
    return none;
  }
  const { params, result, error } = message;
  const say = (summary: string) => ({ ...none, summary: summary.slice(0, 160) });
  if (error) return say(`${String(error.code)}: ${String(error.message)}`);
  if (result) {
    if (Array.isArray(result.tools)) return say(`${result.tools.length} tools`);
    const [block] = Array.isArray(result.content) ? (result.content as { text?: string; type: string }[]) : [];
    return say(block ? (block.text ?? block.type) : JSON.stringify(result));
  }
  if (!params) return say("");
  if (method === "tools/call") return say(`${String(params.name)} ${JSON.stringify(params.arguments)}`);
  if (method === "notifications/progress")
    return say(`${String(params.progress)}${typeof params.total === "number" ? ` of ${params.total}` : ""}`);
  if (method === "notifications/message") {
    const level = LEVELS.indexOf(String(params.level));
    const logger = typeof params.logger === "string" ? params.logger : null;
    const { data } = params;
    return { ...say(typeof data === "string" ? data : JSON.stringify(data)), level: level < 0 ? null : level, logger };
  }
  return say(JSON.stringify(params));
}

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

function matches({ row, body, leader }: Entry, { filter, open }: View): boolean {
  if (isGrouped(filter)) return leader === null || row.findings > 0 || open.has(leader);
  const kind = filter.kinds.includes(row.kind) || (filter.errors && row.error);
  const allKinds = filter.kinds.length === 0 && !filter.errors;
  const method = filter.methods.includes(row.method ?? "");
  return (
    (filter.either ? kind || method : (allKinds || kind) && (filter.methods.length === 0 || method)) &&
    (filter.least_level === null || (row.level !== null && row.level >= filter.least_level)) &&
    (filter.logger === null || row.logger === filter.logger) &&
    (filter.operation === null || row.operation === filter.operation) &&
    (filter.out === null || row.out === filter.out) &&
    (!filter.findings_only || row.findings > 0) &&
    (filter.rule === null || row.rule === filter.rule) &&
    `${row.method ?? ""} ${row.id ?? ""} ${body}`.toLowerCase().includes(filter.text.toLowerCase())
  );
}
