import { RevisionRows } from "../../components/rows/revisionRows";
import { rowAt } from "../../components/rows/rowPages";
import type { Backend } from "../../ipc/backend";
import type { CatalogKind, CatalogRow, ServerId, Rows } from "../../ipc/bindings";

/** List of one server and kind, as shown. Its filter is the search text. */
export class CatalogSession extends RevisionRows<CatalogRow, string> {
  /** Finds the index of an item among all matches. */
  readonly #index: (search: string, key: string) => Promise<number | null>;
  #key: string | null = null;
  #marks = "";

  constructor(backend: Backend, server: ServerId, kind: CatalogKind) {
    const list = { server, kind };
    super(
      (revision, search, from, count) => backend.call("catalog_rows", { ...list, revision, search, from, count }),
      "",
    );
    this.#index = (search, key) => backend.call("catalog_index", { ...list, search, key });
  }

  /** Reloads the rows for other marks. The old rows stay until the new ones have arrived. */
  mark(marks: string): void {
    if (marks === this.#marks) return;
    this.#marks = marks;
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
    const { shown } = this.store.getState();
    const row = rowAt(this.pages.snapshot(), index) ?? (await this.rowAt(index));
    if (!row || this.store.getState().shown !== shown) return null;
    this.#key = row.key;
    this.store.setState({ selected: index });
    return row.key;
  }

  protected override async load(revision: number, search: string): Promise<void> {
    const [key, marks] = [this.#key, this.#marks];
    await super.load(revision, search);
    if (marks !== this.#marks) this.pages.invalidate(this.store.getState().total);
    if (key !== this.#key && this.#key !== null) await this.#locate(this.#key);
  }

  /** An item in the first rows needs no second request. */
  protected override async place(first: Rows<CatalogRow>, search: string): Promise<number | null> {
    const key = this.#key;
    const place = first.rows.findIndex((row) => row.key === key);
    if (place >= 0) return place;
    return key === null || first.rows.length >= first.total ? null : this.#index(search, key);
  }

  async #locate(key: string): Promise<void> {
    const { shown, filter } = this.store.getState();
    const selected = await this.#index(filter, key).catch(() => null);
    if (key === this.#key && shown === this.store.getState().shown) this.store.setState({ selected });
  }
}
