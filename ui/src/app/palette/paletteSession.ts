import { createStore, type StoreApi } from "zustand/vanilla";

import { wordsOf } from "../../lib/matching";
import type { CatalogKind, CatalogView, ServerId } from "../../ipc/bindings";
import type { App } from "../../state/app";
import type { LiveState } from "../../state/live";
import { itemsSlice } from "../../state/slices/items";
import { sliceOf } from "../../state/slices/slice";
import { groupsOf, type Entry, type Group, type Hit } from "./entries";

export interface PaletteState {
  readonly search: string;
  readonly words: readonly string[];
  readonly groups: readonly Group[];
  /** All entries in display order. */
  readonly entries: readonly Entry[];
}

/** Limit of hits per catalog. */
const MOST_HITS = 8;

/**
 * Search of the palette. The window's own data is available at once. The backend searches the catalogs; until it
 * responds, earlier hits stay as far as they match. The state is a snapshot taken at the search: events do not change
 * it, except that lists and stored runs are added once they are read for the search.
 */
export class PaletteSession {
  readonly #app: App;
  #hits: readonly Hit[] = [];
  readonly #store: StoreApi<PaletteState>;
  #loading: Promise<void>;
  /** Lists that were requested and have not been read yet, each as `server kind`. */
  readonly #awaited = new Set<string>();
  /** Servers whose stored runs were requested. */
  readonly #histories = new Set<ServerId>();

  constructor(app: App) {
    this.#app = app;
    this.#store = createStore<PaletteState>(() => this.#stateOf(""));
    this.#loading = this.#load("");
  }

  state = (): PaletteState => this.#store.getState();

  subscribe = (listener: () => void): (() => void) => {
    const leave = this.#store.subscribe(listener);
    const leaveApp = this.#app.store.subscribe(({ live }, before) => {
      if (live.catalogs !== before.live.catalogs) this.#read();
      if (live.operations !== before.live.operations && hasStored(live, before.live)) this.#set(this.state().search);
    });
    return () => {
      leave();
      leaveApp();
    };
  };

  search(search: string): void {
    this.#set(search);
    this.#loading = this.#load(search);
  }

  /** Returns the state once the backend has responded to the last search. */
  async settled(): Promise<PaletteState> {
    let waited;
    do await (waited = this.#loading);
    while (waited !== this.#loading);
    return this.state();
  }

  async #load(search: string): Promise<void> {
    const { live } = this.#app.store.getState();
    const words = wordsOf(search);
    const servers = words.length === 0 ? [this.#app.store.getState().view.server ?? ""] : live.order;
    if (words.length > 0) {
      this.#open(servers);
      this.#loadHistories(servers);
    }
    const found = await Promise.all(
      servers.flatMap((server) =>
        Object.values(live.catalogs[server] ?? {})
          .filter(({ count }) => count > 0)
          // A catalog that cannot be searched must not hide the others.
          .map((catalog) => this.#find(catalog, this.#wordsWithin(server, words)).catch(() => [])),
      ),
    );
    if (this.state().search !== search) return;
    this.#hits = found.flat();
    this.#set(search);
  }

  /** Requests lists that were never opened; a later search finds their items. */
  #open(servers: readonly ServerId[]): void {
    const { live } = this.#app.store.getState();
    for (const server of servers) {
      if (live.sessions[server]?.phase !== "ready") continue;
      for (const { kind, supported, revision, reading } of Object.values(live.catalogs[server] ?? {})) {
        const list = `${server} ${kind}`;
        if (!supported || revision > 0 || reading !== null || this.#awaited.has(list)) continue;
        this.#awaited.add(list);
        // Problems of a list are shown with the list; any other failure means that the connection is gone.
        this.#app.backend.call("open_catalog", { server, kind }).catch(() => undefined);
      }
    }
  }

  /** Requests the stored runs of servers that were not shown since the start; they arrive as events. */
  #loadHistories(servers: readonly ServerId[]): void {
    for (const server of servers) {
      if (this.#histories.has(server)) continue;
      this.#histories.add(server);
      // A failure to read the history is shown with the runs.
      this.#app.backend.call("load_history", { server }).catch(() => undefined);
    }
  }

  /** Repeats the search once a requested list is read. */
  #read(): void {
    const { live } = this.#app.store.getState();
    const lists = Object.values(live.catalogs).flatMap((catalogs) => Object.values(catalogs));
    const read = lists.filter(
      ({ server, kind, revision }) => revision > 0 && this.#awaited.delete(`${server} ${kind}`),
    );
    if (read.length > 0) this.#loading = this.#load(this.state().search);
  }

  /** Returns the search words for a server's items: without those that name the server itself. */
  #wordsWithin(server: ServerId, words: readonly string[]): readonly string[] {
    const name = this.#app.store.getState().live.servers[server]?.config.name.toLowerCase() ?? "";
    const others = words.filter((word) => !name.includes(word));
    return others.length === 0 ? words : others;
  }

  async #find({ server, kind, revision }: CatalogView, words: readonly string[]): Promise<readonly Hit[]> {
    const search = words.join(" ");
    const rows = async (from: number, count: number): Promise<readonly Hit[]> => {
      const answer = await this.#app.backend.call("catalog_rows", { server, kind, revision, search, from, count });
      return answer.rows.map((row) => ({ server, kind, row }));
    };
    const first = await rows(0, MOST_HITS);
    const key = words.length === 0 ? this.#selected(server, kind) : null;
    if (key === null) return first;
    // The open item comes first, so that Enter returns to it.
    const place = await this.#app.backend.call("catalog_index", { server, kind, search, key });
    const open = first.filter((hit) => hit.row.key === key);
    const opened = open.length > 0 || place === null ? open : await rows(place, 1);
    return [...opened, ...first.filter((hit) => hit.row.key !== key)];
  }

  #selected(server: ServerId, kind: CatalogKind): string | null {
    const { live, view } = this.#app.store.getState();
    const { tool } = sliceOf(view.perServer[server], itemsSlice);
    return kind === "tools" ? (tool ?? live.catalogs[server]?.tools?.first ?? null) : null;
  }

  #stateOf(search: string): PaletteState {
    const words = wordsOf(search);
    const groups = groupsOf(words, this.#hits, this.#app);
    return { search, words, groups, entries: groups.flatMap(({ entries }) => entries) };
  }

  #set(search: string): void {
    this.#store.setState(this.#stateOf(search));
  }
}

/** Returns true if the state has runs of an earlier start that `before` lacks. */
function hasStored({ operations }: LiveState, before: LiveState): boolean {
  return Object.values(operations).some(
    ({ operation, earlier }) => earlier !== null && !(operation in before.operations),
  );
}
