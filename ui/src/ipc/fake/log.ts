import { fail } from "./fail";
import { finding } from "./finding";
import type { LogDetail, LogFilter, LogRow, LogViewState, ServerId } from "../bindings";

interface Entry {
  row: LogRow;
  readonly body: string;
  readonly messages: readonly string[];
}

/** What is known of an entry when it is recorded; the rest follows. */
export interface Recorded extends Partial<Omit<LogRow, "id" | "findings">> {
  readonly kind: LogRow["kind"];
  readonly body: string;
  readonly id?: number;
  readonly findings?: readonly string[];
}

interface View {
  readonly server: ServerId;
  filter: LogFilter;
  epoch: number;
  rows: Entry[];
}

/** The simulated wire log of all servers, with its views. */
export class FakeLog {
  private readonly entries = new Map<ServerId, Entry[]>();
  private readonly views = new Map<number, View>();
  private readonly changed: (state: LogViewState) => void;
  private nextView = 1;

  constructor(changed: (state: LogViewState) => void) {
    this.changed = changed;
  }

  record(server: ServerId, { body, id, findings = [], ...known }: Recorded): number {
    const list = this.of(server);
    const row: LogRow = {
      seq: list.length + 1,
      at: Date.now(),
      out: false,
      method: null,
      id: id === undefined ? null : String(id),
      bytes: new TextEncoder().encode(body).length,
      micros: null,
      partner: null,
      operation: null,
      cause: null,
      preview: body.slice(0, 140).replaceAll("\n", " "),
      findings: findings.length,
      ...known,
    };
    const entry = { row, body, messages: findings };
    list.push(entry);
    const request = row.partner === null ? undefined : list[row.partner - 1];
    if (request) request.row = { ...request.row, partner: row.seq };
    for (const [number, view] of this.views) {
      if (view.server !== server) continue;
      if (matches(entry, view.filter)) view.rows.push(entry);
      this.changed(this.state(number, view));
    }
    return row.seq;
  }

  open(server: ServerId, filter: LogFilter): LogViewState {
    const number = this.nextView++;
    this.views.set(number, { server, filter, epoch: 0, rows: [] });
    return this.filter(number, filter);
  }

  filter(number: number, filter: LogFilter): LogViewState {
    const view = this.views.get(number) ?? fail("not_found", "This view was closed.");
    view.filter = filter;
    view.epoch++;
    view.rows = this.of(view.server).filter((entry) => matches(entry, filter));
    return this.state(number, view);
  }

  rows(number: number, from: number, count: number): LogRow[] {
    return (this.views.get(number)?.rows ?? []).slice(from, from + count).map((entry) => entry.row);
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
      summary: row.kind === "process" ? body : null,
      headers: row.kind === "http" ? [{ name: "content-type", value: "text/event-stream" }] : [],
      dropped: 0,
      redacted: false,
      curl: row.kind === "http",
    };
  }

  body(server: ServerId, seq: number): string {
    return this.entry(server, seq).body;
  }

  /** Answers what brings the entries back. */
  clear(server: ServerId): (() => void) | null {
    const before = this.of(server);
    this.replace(server, []);
    if (before.length === 0) return null;
    return () => {
      const since = this.of(server).map((entry) => ({
        ...entry,
        row: { ...entry.row, seq: entry.row.seq + before.length },
      }));
      this.replace(server, [...before, ...since]);
    };
  }

  private replace(server: ServerId, entries: Entry[]): void {
    this.entries.set(server, entries);
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
      total: all.length,
      bytes: all.reduce((sum, entry) => sum + entry.row.bytes, 0),
      dropped: 0,
      max_rows: 100_000,
      max_bytes: 256 * 1024 * 1024,
      max_bytes_of_all: 512 * 1024 * 1024,
      searching: false,
      methods: [...new Set(all.flatMap(({ row }) => row.method ?? []))],
    };
  }
}

function matches({ row, body }: Entry, filter: LogFilter): boolean {
  return (
    (filter.kinds.length === 0 || filter.kinds.includes(row.kind)) &&
    (filter.methods.length === 0 || filter.methods.includes(row.method ?? "")) &&
    (filter.operation === null || row.operation === filter.operation) &&
    (filter.out === null || row.out === filter.out) &&
    (!filter.findings_only || row.findings > 0) &&
    `${row.method ?? ""} ${row.id ?? ""} ${body}`.toLowerCase().includes(filter.text.toLowerCase())
  );
}
