import { createStore } from "zustand/vanilla";

import { rowAt, RowPages } from "../../components/rows/rowPages";
import { toBackendError, type Backend, type BackendError } from "../../ipc/backend";
import type { HostFilter, HostRow, ServerId, Rows } from "../../ipc/bindings";

export interface HostsState {
  /** Counter of the tables shown; 0 before the first. */
  readonly shown: number;
  /** Filter of the visible table, with its columns. */
  readonly filter: HostFilter;
  /** Number of matching tools. */
  readonly total: number;
  readonly error: BackendError | null;
}

interface Wanted {
  readonly revision: number;
  readonly filter: HostFilter;
}

/**
 * Tools of one server with their verdicts by host, as shown. Rows are fetched by index. A new table replaces the old
 * one in one update, with its first rows; outdated responses are dropped.
 */
export class HostSession {
  readonly pages = new RowPages<HostRow>({
    fetch: async (from, count) => (await this.#rows(this.#visible(), from, count)).rows,
    onError: (error) => this.store.setState({ error: toBackendError(error) }),
  });
  readonly store = createStore<HostsState>(() => ({
    shown: 0,
    filter: { hosts: [], problems: false, search: "" },
    total: 0,
    error: null,
  }));
  #revision = 0;
  #wanted = "";

  constructor(
    private readonly backend: Backend,
    private readonly server: ServerId,
  ) {}

  /**
   * Shows the matches in this revision of the list. `judgement` is a text that changes whenever the verdicts may
   * change.
   */
  show(revision: number, judgement: string, filter: HostFilter): void {
    const wanted = JSON.stringify([revision, judgement, filter]);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    void this.#load(wanted, { revision, filter });
  }

  /** Returns the row at an index of the visible table; `undefined` if it no longer exists. */
  async rowAt(index: number): Promise<HostRow | undefined> {
    return rowAt(this.pages.snapshot(), index) ?? (await this.#rows(this.#visible(), index, 1)).rows[0];
  }

  async #load(key: string, wanted: Wanted): Promise<void> {
    try {
      const answer = await this.#rows(wanted, 0, this.pages.pageSize);
      // If the list was read again, its event is on the way.
      if (key !== this.#wanted || answer.revision !== wanted.revision) return;
      this.#revision = wanted.revision;
      this.pages.replace(answer.total, answer.rows);
      this.store.setState({
        shown: this.store.getState().shown + 1,
        filter: wanted.filter,
        total: answer.total,
        error: null,
      });
    } catch (thrown) {
      if (key === this.#wanted) this.store.setState({ error: toBackendError(thrown) });
    }
  }

  #visible(): Wanted {
    return { revision: this.#revision, filter: this.store.getState().filter };
  }

  #rows({ revision, filter }: Wanted, from: number, count: number): Promise<Rows<HostRow>> {
    return this.backend.call("host_rows", { server: this.server, revision, filter, from, count });
  }
}
