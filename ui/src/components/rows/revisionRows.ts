import { createStore, type StoreApi } from "zustand/vanilla";

import { toBackendError, type BackendError } from "../../ipc/backend";
import type { Rows } from "../../ipc/bindings";
import { rowAt, RowPages } from "./rowPages";

export interface RevisionState<Filter> {
  /** Counter of the lists shown; 0 before the first. */
  readonly shown: number;
  /** Filter of the visible list. */
  readonly filter: Filter;
  /** Number of matching rows. */
  readonly total: number;
  /** Index of the selected row among the matches; `null` if it does not match or is not known yet. */
  readonly selected: number | null;
  readonly error: BackendError | null;
}

type Fetch<Row, Filter> = (revision: number, filter: Filter, from: number, count: number) => Promise<Rows<Row>>;

/**
 * A list that the host filters, as shown. Rows are fetched by index. A new list replaces the old one in one update, with
 * its first rows and the index of the selected one; outdated responses are dropped.
 */
export class RevisionRows<Row, Filter> {
  readonly pages: RowPages<Row>;
  readonly store: StoreApi<RevisionState<Filter>>;
  readonly #fetch: Fetch<Row, Filter>;
  #revision = 0;
  #wanted = "";
  #loading: Promise<void> = Promise.resolve();

  constructor(fetch: Fetch<Row, Filter>, filter: Filter) {
    this.#fetch = fetch;
    this.store = createStore(() => ({ shown: 0, filter, total: 0, selected: null, error: null }));
    this.pages = new RowPages<Row>({
      fetch: (from, count) => this.#visible(from, count),
      onError: (error) => this.store.setState({ error: toBackendError(error) }),
    });
  }

  /** Shows the matches in this revision of the list. `version` changes whenever the rows may have changed. */
  show(revision: number, filter: Filter, version = ""): void {
    const wanted = JSON.stringify([revision, filter, version]);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#loading = this.load(revision, filter);
  }

  /** Returns the row at an index of the visible list; `undefined` if it no longer exists. */
  async rowAt(index: number): Promise<Row | undefined> {
    return rowAt(this.pages.snapshot(), index) ?? (await this.#visible(index, 1))[0];
  }

  /** Resolves with the state once the most recently requested list is shown. */
  async settled(): Promise<RevisionState<Filter>> {
    let waited;
    do await (waited = this.#loading);
    while (waited !== this.#loading);
    return this.store.getState();
  }

  /** Finds the index of the selected row in a list with these first rows. */
  protected place(_first: Rows<Row>, _filter: Filter): Promise<number | null> {
    return Promise.resolve(null);
  }

  protected async load(revision: number, filter: Filter): Promise<void> {
    const wanted = this.#wanted;
    try {
      const first = await this.#fetch(revision, filter, 0, this.pages.pageSize);
      // If the list was read again, its event is on the way.
      if (wanted !== this.#wanted || first.revision !== revision) return;
      const selected = await this.place(first, filter);
      if (wanted !== this.#wanted) return;
      this.#revision = revision;
      this.pages.replace(first.total, first.rows);
      const shown = this.store.getState().shown + 1;
      this.store.setState({ shown, filter, total: first.total, selected, error: null });
    } catch (thrown) {
      if (wanted === this.#wanted) this.store.setState({ error: toBackendError(thrown) });
    }
  }

  async #visible(from: number, count: number): Promise<Row[]> {
    return (await this.#fetch(this.#revision, this.store.getState().filter, from, count)).rows;
  }
}
