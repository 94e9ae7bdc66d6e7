import { createStore } from "zustand/vanilla";

import { rowAt, RowPages } from "../../components/rows/rowPages";
import { toBackendError, type Backend, type BackendError } from "../../ipc/backend";
import type { CatalogKind, CatalogRow, ServerId, Rows } from "../../ipc/bindings";

export interface CatalogState {
  /** Counter of the lists shown, one per revision and search; 0 before the first. */
  readonly shown: number;
  /** Search text of the visible list. */
  readonly search: string;
  /** Number of matching items. */
  readonly total: number;
  /** Index of the selected item among the matches; `null` if it does not match or is not known yet. */
  readonly selected: number | null;
  readonly error: BackendError | null;
}

/**
 * List of one server and kind, as shown. The host searches; rows are fetched by index. A new list replaces the old one
 * in one update, with its first rows and the index of the selected item; outdated responses are dropped.
 */
export class CatalogSession {
  readonly pages = new RowPages<CatalogRow>({
    fetch: async (from, count) => (await this.#rows(this.#revision, this.store.getState().search, from, count)).rows,
    onError: (error) => this.store.setState({ error: toBackendError(error) }),
  });
  readonly store = createStore<CatalogState>(() => ({ shown: 0, search: "", total: 0, selected: null, error: null }));
  /** Revision of the visible list. */
  #revision = 0;
  #wanted: { readonly revision: number; readonly search: string } | null = null;
  #loading: Promise<void> = Promise.resolve();
  #key: string | null = null;
  #version = "";

  constructor(
    private readonly backend: Backend,
    private readonly server: ServerId,
    private readonly kind: CatalogKind,
  ) {}

  /** Shows the matches of a search in this revision of the list. */
  show(revision: number, search: string): void {
    if (this.#wanted?.revision === revision && this.#wanted.search === search) return;
    this.#wanted = { revision, search };
    this.#loading = this.#load(this.#wanted);
  }

  /** Reloads the rows for a new `version` of their marks. The old rows stay until the new ones have arrived. */
  mark(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    if (this.store.getState().shown > 0) this.pages.invalidate(this.store.getState().total);
  }

  /** Selects the item with this key. */
  select(key: string | null): void {
    if (key === this.#key) return;
    this.#key = key;
    this.store.setState({ selected: null });
    if (key !== null && this.store.getState().shown > 0) void this.#locate(key);
  }

  /** Selects the item at an index and returns its key, or `null` if the list has changed. */
  async selectAt(index: number): Promise<string | null> {
    const { shown, search } = this.store.getState();
    const row = rowAt(this.pages.snapshot(), index) ?? (await this.#rows(this.#revision, search, index, 1)).rows[0];
    if (!row || this.store.getState().shown !== shown) return null;
    this.#key = row.key;
    this.store.setState({ selected: index });
    return row.key;
  }

  /** Resolves with the state once the most recently requested list is shown. */
  async settled(): Promise<CatalogState> {
    let waited;
    do await (waited = this.#loading);
    while (waited !== this.#loading);
    return this.store.getState();
  }

  async #load(wanted: { readonly revision: number; readonly search: string }): Promise<void> {
    const { revision, search } = wanted;
    const key = this.#key;
    const version = this.#version;
    try {
      const answer = await this.#rows(revision, search, 0, this.pages.pageSize);
      // If the list was read again, its event is on the way.
      if (wanted !== this.#wanted || answer.revision !== revision) return;
      const selected = await this.#placeIn(answer, search, key);
      if (wanted !== this.#wanted) return;
      this.#revision = revision;
      this.pages.replace(answer.total, answer.rows);
      if (version !== this.#version) this.pages.invalidate(answer.total);
      this.store.setState({
        shown: this.store.getState().shown + 1,
        search,
        total: answer.total,
        selected,
        error: null,
      });
      if (key !== this.#key && this.#key !== null) await this.#locate(this.#key);
    } catch (thrown) {
      if (wanted === this.#wanted) this.store.setState({ error: toBackendError(thrown) });
    }
  }

  async #locate(key: string): Promise<void> {
    const { shown, search } = this.store.getState();
    const selected = await this.#index(search, key).catch(() => null);
    if (key === this.#key && shown === this.store.getState().shown) this.store.setState({ selected });
  }

  #rows(revision: number, search: string, from: number, count: number) {
    const list = { server: this.server, kind: this.kind };
    return this.backend.call("catalog_rows", { ...list, revision, search, from, count });
  }

  /** Finds the index of an item among all matches; an item in the first rows needs no second request. */
  async #placeIn(first: Rows<CatalogRow>, search: string, key: string | null): Promise<number | null> {
    const place = first.rows.findIndex((row) => row.key === key);
    if (place >= 0) return place;
    return key === null || first.rows.length >= first.total ? null : this.#index(search, key);
  }

  #index(search: string, key: string): Promise<number | null> {
    return this.backend.call("catalog_index", { server: this.server, kind: this.kind, search, key });
  }
}
