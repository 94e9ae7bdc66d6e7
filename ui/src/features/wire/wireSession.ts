import { createStore } from "zustand/vanilla";

import { RowPages } from "../../components/rows/rowPages";
import { toBackendError, type Backend, type BackendError } from "../../ipc/backend";
import type { LogFilter, LogRow, LogViewState, ServerId } from "../../ipc/bindings";
import { shownBy } from "./wireWords";

export interface WireState {
  /** Number of the view; `null` until it is open. */
  readonly view: number | null;
  readonly error: BackendError | null;
}

const CLOSED: WireState = { view: null, error: null };

/** Actions of the app that a session needs. */
export interface LogKeeping {
  adoptLog(log: LogViewState): void;
  closeLog(view: number): void;
}

/**
 * An open view on a server's log.
 *
 * Events carry the view's state; rows are fetched by index under the epoch of that state. In another epoch the indexes
 * mean other entries, so pending responses are dropped.
 */
export class WireSession {
  readonly pages = new RowPages<LogRow>({
    fetch: (from, count) => this.#fetch(from, count),
    onError: (error) => this.store.setState({ error: toBackendError(error) }),
  });
  readonly store = createStore<WireState>(() => CLOSED);
  #epoch = -1;
  #changes = 0;
  #rows = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #life = 0;

  constructor(
    private readonly backend: Backend,
    private readonly keeping: LogKeeping,
    private readonly server: ServerId,
  ) {}

  open(filter: LogFilter): void {
    const life = ++this.#life;
    void this.#run(async () => {
      const log = await this.backend.call("open_log", { server: this.server, filter });
      if (life !== this.#life) {
        this.keeping.closeLog(log.view);
        return;
      }
      this.keeping.adoptLog(log);
      this.store.setState({ view: log.view, error: null });
    });
  }

  /** Changes the filter of the view. */
  filter(filter: LogFilter): void {
    void this.#run(async () => {
      const { view } = this.store.getState();
      if (view === null) return;
      this.keeping.adoptLog(await this.backend.call("filter_log", { view, filter }));
    });
  }

  /** Expands the group of an entry to one row per entry, or folds it to one row. */
  openGroup(seq: number, open: boolean): Promise<void> {
    return this.#run(async () => {
      const { view } = this.store.getState();
      if (view === null) return;
      const log = await this.backend.call("open_log_group", { view, seq, open });
      this.keeping.adoptLog(log);
      this.sync(log);
    });
  }

  /** Takes over the view's newest state. */
  sync(log: LogViewState): void {
    this.#rows = log.rows;
    const changes = log.changes - this.#changes;
    this.#changes = log.changes;
    if (log.epoch !== this.#epoch) {
      this.#epoch = log.epoch;
      this.pages.invalidate(log.rows);
    } else if (changes === 0) {
      this.pages.resize(log.rows);
    } else {
      // If an intermediate state was missed, any row may have changed.
      this.pages.invalidate(log.rows, changes === 1 ? log.changed_from : 0);
    }
  }

  /** Finds the row of an entry, or the row that shows its text; `null` if the view holds neither. */
  async locate(seq: number): Promise<{ index: number; row: LogRow } | null> {
    // Wait for the filters requested before.
    await this.#queue;
    const after = (await this.indexOf(seq)) ?? this.#rows;
    for (const index of [after, after - 1]) {
      const row = await this.rowAt(index);
      if (row && (row.seq === seq || shownBy(row) === seq)) return { index, row };
    }
    return null;
  }

  /** Finds the index of an entry, or of the nearest one after it. */
  async indexOf(seq: number): Promise<number | null> {
    const { view } = this.store.getState();
    return view === null ? null : this.backend.call("log_index", { view, seq });
  }

  /** Counts the rows of entries after this one. */
  async rowsAfter(seq: number): Promise<number> {
    const first = await this.indexOf(seq + 1);
    return first === null ? 0 : Math.max(0, this.#rows - first);
  }

  async rowAt(index: number): Promise<LogRow | undefined> {
    if (index < 0 || index >= this.#rows) return undefined;
    const [row] = await this.#fetch(index, 1);
    return row;
  }

  close(): void {
    this.#life += 1;
    const { view } = this.store.getState();
    this.#epoch = -1;
    this.pages.clear(0);
    this.store.setState(CLOSED);
    if (view !== null) this.keeping.closeLog(view);
  }

  #fetch(from: number, count: number): Promise<LogRow[]> {
    const { view } = this.store.getState();
    if (view === null) return Promise.resolve([]);
    return this.backend.call("log_rows", { view, epoch: this.#epoch, from, count });
  }

  #run(work: () => Promise<void>): Promise<void> {
    const step = this.#queue
      .then(work)
      .catch((error: unknown) => this.store.setState({ error: toBackendError(error) }));
    this.#queue = step;
    return step;
  }
}
