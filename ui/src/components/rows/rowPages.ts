/**
 * A cache of the rows around the visible ones, fetched from the backend by index.
 *
 * Rows are stored in pages of fixed size. A change of the rows (a filter, a toggled node, dropped entries) starts a new
 * generation: answers of older generations are dropped when they arrive, and pages of older generations stay visible
 * only until they are replaced, so that nothing flashes. Each cache has at most one pending fetch; the visible rows
 * come first.
 *
 * Snapshots are immutable, since the compiler of the page memoises values read during rendering.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Page<T> {
  readonly generation: number;
  readonly rows: readonly T[];
}

export interface PageSnapshot<T> {
  readonly pageSize: number;
  readonly pages: ReadonlyMap<number, Page<T>>;
}

/** Returns a row, or `undefined` while it is not loaded. */
export function rowAt<T>(snapshot: PageSnapshot<T>, index: number): T | undefined {
  const page = Math.floor(index / snapshot.pageSize);
  return snapshot.pages.get(page)?.rows[index - page * snapshot.pageSize];
}

export interface PageFetch<T> {
  /** Fetches the rows `from..from+count` of the current generation. */
  (from: number, count: number): Promise<readonly T[]>;
}

export interface RowPagesOptions<T> {
  readonly fetch: PageFetch<T>;
  readonly pageSize?: number;
  /** Limit of pages; those furthest from the visible rows are dropped first. */
  readonly maxPages?: number;
  /** Handles a failed fetch; the page is requested again when it is next needed. */
  readonly onError?: (error: unknown) => void;
}

export class RowPages<T> {
  readonly pageSize: number;
  readonly #maxPages: number;
  readonly #fetch: PageFetch<T>;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #store: StoreApi<PageSnapshot<T>>;
  readonly snapshot: () => PageSnapshot<T>;
  readonly subscribe: (listener: () => void) => () => void;
  #generation = 0;
  #rows = 0;
  #from = 0;
  #to = 0;
  #busy = false;

  constructor(options: RowPagesOptions<T>) {
    this.pageSize = options.pageSize ?? 200;
    this.#maxPages = options.maxPages ?? 24;
    this.#fetch = options.fetch;
    this.#onError = options.onError;
    this.#store = createStore(() => ({ pageSize: this.pageSize, pages: new Map() }));
    this.snapshot = this.#store.getState;
    this.subscribe = this.#store.subscribe;
  }

  /** Total number of rows. */
  get rows(): number {
    return this.#rows;
  }

  /** Changes the number of rows within a generation: only the last page can have changed. */
  resize(rows: number): void {
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.#pump();
  }

  /** Starts a new generation. Pages entirely before row `keepBefore` are unchanged and kept. */
  invalidate(rows: number, keepBefore = 0): void {
    const pages = new Map<number, Page<T>>();
    for (const [number, page] of this.snapshot().pages) {
      const end = (number + 1) * this.pageSize;
      if (end <= keepBefore) pages.set(number, { generation: this.#generation + 1, rows: page.rows });
      else if (number * this.pageSize < rows) pages.set(number, page);
    }
    this.#begin(rows, pages);
  }

  /** Starts a new generation with its first rows: a page, or all if there are fewer. */
  replace(rows: number, first: readonly T[]): void {
    this.#begin(rows, new Map(rows > 0 ? [[0, { generation: this.#generation + 1, rows: first }]] : []));
  }

  /** Drops all rows, for other content. */
  clear(rows: number): void {
    this.#begin(rows, new Map());
  }

  /** Starts the next generation with these pages. */
  #begin(rows: number, pages: ReadonlyMap<number, Page<T>>): void {
    this.#generation += 1;
    this.#rows = rows;
    this.#store.setState({ pages });
    this.#pump();
  }

  /** Sets the visible rows, and fetches missing ones and then their neighbours. */
  show = (from: number, to: number): void => {
    this.#from = from;
    this.#to = to;
    this.#pump();
  };

  #rowsInPage(page: number): number {
    return Math.min(this.pageSize, this.#rows - page * this.pageSize);
  }

  #complete(page: number): boolean {
    const held = this.snapshot().pages.get(page);
    return held !== undefined && held.generation === this.#generation && held.rows.length >= this.#rowsInPage(page);
  }

  /** Returns the next page to fetch: visible pages in order, then the next, then the previous. */
  #next(): number | undefined {
    if (this.#rows === 0 || this.#to <= this.#from) return undefined;
    const lastPage = Math.floor((this.#rows - 1) / this.pageSize);
    const first = Math.min(Math.floor(this.#from / this.pageSize), lastPage);
    const last = Math.min(Math.floor((this.#to - 1) / this.pageSize), lastPage);
    for (let page = first; page <= last; page += 1) if (!this.#complete(page)) return page;
    if (last + 1 <= lastPage && !this.#complete(last + 1)) return last + 1;
    if (first - 1 >= 0 && !this.#complete(first - 1)) return first - 1;
    return undefined;
  }

  #pump(): void {
    if (this.#busy) return;
    const page = this.#next();
    if (page === undefined) return;
    const generation = this.#generation;
    const count = this.#rowsInPage(page);
    this.#busy = true;
    this.#fetch(page * this.pageSize, count).then(
      (rows) => {
        this.#busy = false;
        if (generation === this.#generation) {
          const short = rows.length < count;
          // The backend returns no rows if its change has not reached the page yet.
          if (rows.length > 0) this.#put(page, { generation, rows });
          // A short answer means that the rows have changed and the event has not arrived yet: asking again at once
          // would only spin.
          if (short) return;
        }
        this.#pump();
      },
      (error: unknown) => {
        this.#busy = false;
        if (generation === this.#generation) this.#onError?.(error);
        else this.#pump();
      },
    );
  }

  #put(number: number, page: Page<T>): void {
    const pages = new Map(this.snapshot().pages);
    pages.set(number, page);
    if (pages.size > this.#maxPages) {
      const middle = (this.#from + this.#to) / 2 / this.pageSize;
      const far = [...pages.keys()].sort((a, b) => Math.abs(b + 0.5 - middle) - Math.abs(a + 0.5 - middle));
      for (const key of far.slice(0, pages.size - this.#maxPages)) pages.delete(key);
    }
    this.#store.setState({ pages });
  }
}
