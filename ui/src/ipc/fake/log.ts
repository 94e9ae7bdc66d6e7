import { finding } from "./finding";
import type { LogCause, LogDetail, LogFilter, LogKind, LogRow, LogViewState, ServerId } from "../bindings";

interface Entry {
  readonly row: LogRow;
  readonly body: string;
  readonly messages: readonly string[];
}

/** What is known of an entry when it is recorded; the rest follows. */
export interface Recorded {
  readonly kind: LogKind;
  readonly body: string;
  readonly out?: boolean;
  readonly method?: string;
  readonly id?: number;
  readonly operation?: number;
  readonly cause?: LogCause | null;
  readonly partner?: number;
  readonly micros?: number;
  readonly findings?: readonly string[];
  readonly at?: number;
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

  record(server: ServerId, recorded: Recorded): number {
    const list = this.of(server);
    const seq = list.length + 1;
    const partner = recorded.partner ?? null;
    list.push({
      row: {
        seq,
        at: recorded.at ?? Date.now(),
        out: recorded.out ?? false,
        kind: recorded.kind,
        method: recorded.method ?? null,
        id: recorded.id === undefined ? null : String(recorded.id),
        bytes: new TextEncoder().encode(recorded.body).length,
        micros: recorded.micros ?? null,
        partner,
        operation: recorded.operation ?? null,
        cause: recorded.cause ?? null,
        preview: recorded.body.slice(0, 140).replaceAll("\n", " "),
        findings: recorded.findings?.length ?? 0,
      },
      body: recorded.body,
      messages: recorded.findings ?? [],
    });
    const request = partner === null ? undefined : list[partner - 1];
    if (request) list[request.row.seq - 1] = { ...request, row: { ...request.row, partner: seq } };
    const added = list[seq - 1];
    for (const [number, view] of this.views) {
      if (view.server !== server) continue;
      if (added && matches(added, view.filter)) view.rows.push(added);
      this.changed(this.state(number, view));
    }
    return seq;
  }

  open(server: ServerId, filter: LogFilter): LogViewState {
    const number = this.nextView++;
    const view: View = { server, filter, epoch: 1, rows: this.of(server).filter((entry) => matches(entry, filter)) };
    this.views.set(number, view);
    return this.state(number, view);
  }

  filter(number: number, filter: LogFilter): LogViewState | null {
    const view = this.views.get(number);
    if (!view) return null;
    view.filter = filter;
    view.epoch++;
    view.rows = this.of(view.server).filter((entry) => matches(entry, filter));
    return this.state(number, view);
  }

  rows(number: number, from: number, count: number): LogRow[] {
    const view = this.views.get(number);
    if (!view) return [];
    const all = this.of(view.server);
    return view.rows.slice(from, from + count).map((entry) => all[entry.row.seq - 1]?.row ?? entry.row);
  }

  index(number: number, seq: number): number | null {
    const at = this.views.get(number)?.rows.findIndex((entry) => entry.row.seq >= seq) ?? -1;
    return at < 0 ? null : at;
  }

  close(number: number): void {
    this.views.delete(number);
  }

  detail(server: ServerId, seq: number): LogDetail | null {
    const entry = this.of(server)[seq - 1];
    if (!entry) return null;
    return {
      row: entry.row,
      findings: entry.messages.map((message) => finding("remarkable", message)),
      summary: entry.row.kind === "process" ? entry.body : null,
      headers: entry.row.kind === "http" ? [{ name: "content-type", value: "text/event-stream" }] : [],
      dropped: 0,
      redacted: false,
      curl: entry.row.kind === "http",
    };
  }

  body(server: ServerId, seq: number): string | null {
    return this.of(server)[seq - 1]?.body ?? null;
  }

  clear(server: ServerId): void {
    this.entries.set(server, []);
    for (const [number, view] of this.views) {
      if (view.server !== server) continue;
      view.rows = [];
      view.epoch++;
      this.changed(this.state(number, view));
    }
  }

  private of(server: ServerId): Entry[] {
    let list = this.entries.get(server);
    if (!list) this.entries.set(server, (list = []));
    return list;
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
      searching: false,
      methods: [...new Set(all.flatMap((entry) => (entry.row.method === null ? [] : [entry.row.method])))],
    };
  }
}

function matches({ row, body }: Entry, filter: LogFilter): boolean {
  if (filter.kinds.length > 0 && !filter.kinds.includes(row.kind)) return false;
  if (filter.methods.length > 0 && !filter.methods.includes(row.method ?? "")) return false;
  if (filter.operation !== null && row.operation !== filter.operation) return false;
  if (filter.out !== null && row.out !== filter.out) return false;
  if (filter.findings_only && row.findings === 0) return false;
  const text = filter.text.toLowerCase();
  return text === "" || `${row.method ?? ""} ${row.id ?? ""} ${body}`.toLowerCase().includes(text);
}
