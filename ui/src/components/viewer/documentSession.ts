import { createStore } from "zustand/vanilla";

import { toBackendError, type Backend, type BackendError } from "../../ipc/backend";
import type { DocumentMode, DocumentRow, DocumentSource, DocumentView, SearchHit } from "../../ipc/bindings";
import { copyable } from "../../state/wholeText";
import { RowPages } from "../rows/rowPages";

export interface DocumentState {
  readonly status: "opening" | "open" | "failed";
  readonly view: DocumentView | null;
  /** The failure; with status `open`, that of the last action. */
  readonly error: BackendError | null;
  /** A command that changes the rows is running. */
  readonly busy: boolean;
}

const OPENING: DocumentState = { status: "opening", view: null, error: null, busy: true };

/** An open document. Commands run one after the other, since each result has the new number of rows. */
export class DocumentSession {
  readonly pages = new RowPages<DocumentRow>({
    fetch: (from, count) => this.rows(from, count),
    onError: (error) => this.#store.setState({ error: toBackendError(error) }),
  });
  readonly #store = createStore<DocumentState>(() => OPENING);
  readonly state = this.#store.getState;
  readonly subscribe = this.#store.subscribe;
  /** Last mode asked for. The view's mode differs if the document is not JSON. */
  #mode: DocumentMode = "raw";
  #columns = 0;
  #wanted: { mode: DocumentMode; columns: number } | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #opened = false;
  /** Number of openings, to ignore late answers to earlier ones. */
  #life = 0;

  constructor(
    private readonly backend: Backend,
    private readonly source: DocumentSource,
  ) {}

  /** Opens the document, or shows it in another mode or width. The last call wins. */
  show(mode: DocumentMode, columns: number): void {
    const view = this.state().view;
    if (!this.#opened) {
      this.#opened = true;
      this.#mode = mode;
      this.#columns = columns;
      const life = this.#life;
      void this.#run(async () => {
        const opened = await this.backend.call("open_document", { source: this.source, mode, columns });
        if (life !== this.#life) this.#forget(opened.document);
        return () => this.#replaced(opened);
      }, "failed");
      return;
    }
    const treeStays = view?.mode === "tree" && mode === "tree";
    if (!this.#wanted && view && view.mode === mode && (columns === this.#columns || treeStays)) return;
    const queued = this.#wanted !== null;
    this.#wanted = { mode, columns };
    if (queued) return;
    void this.#run(async () => {
      const wanted = this.#wanted;
      this.#wanted = null;
      if (!wanted) return undefined;
      this.#mode = wanted.mode;
      this.#columns = wanted.columns;
      const shown = await this.#send((document) => this.backend.call("show_document", { document, ...wanted }));
      return () => this.#replaced(shown);
    });
  }

  /** Expands or collapses the node at `row`. */
  toggle(node: number, row: number): Promise<void> {
    return this.#run(async () => {
      const before = this.#id();
      const view = await this.#send((document) => this.backend.call("toggle_node", { document, node }));
      return () => {
        this.#store.setState({ view });
        this.pages.invalidate(view.rows, view.document === before ? row : 0);
      };
    });
  }

  expandAll(expanded: boolean): Promise<void> {
    return this.#run(async () => {
      const view = await this.#send((document) => this.backend.call("expand_document", { document, expanded }));
      return () => this.#replaced(view);
    });
  }

  /** Finds the n-th hit. In a tree, the nodes on the way to it are expanded. */
  search(text: string, ordinal: number): Promise<SearchHit | null> {
    return this.#find((document) => this.backend.call("search_document", { document, text, ordinal }));
  }

  /** Returns the row of the value at a JSON Pointer in a tree. The nodes on the way to it are expanded. */
  locate(pointer: string): Promise<number | null> {
    return this.#find((document) => this.backend.call("locate_value", { document, pointer }));
  }

  /** Runs a search command that may expand nodes, and returns its hit. */
  async #find<T>(command: (document: number) => Promise<T | null>): Promise<T | null> {
    let found: T | null = null;
    await this.#run(async () => {
      found = await this.#send(command);
      const view = this.state().view;
      if (found === null || view?.mode !== "tree") return undefined;
      const next = await this.backend.call("show_document", {
        document: view.document,
        mode: "tree",
        columns: this.#columns,
      });
      return () => {
        if (next.rows === view.rows) return;
        this.#store.setState({ view: next });
        this.pages.invalidate(next.rows);
      };
    });
    return found;
  }

  /** Reads rows straight from the backend. */
  rows(from: number, count: number): Promise<DocumentRow[]> {
    return this.#send((document) => this.backend.call("document_rows", { document, from, count }));
  }

  /** Returns the whole value of a node: strings without quotes and escapes, all else as JSON. */
  async nodeValue(node: number): Promise<string> {
    return copyable(await this.#send((document) => this.backend.call("node_value", { document, node })));
  }

  /** Returns the path of a node as in code, for example `$.users[3]["first name"]`. */
  async nodePath(node: number): Promise<string> {
    return copyable(await this.#send((document) => this.backend.call("node_path", { document, node })));
  }

  /** Closes the document. `show` reopens it. */
  close(): void {
    if (!this.#opened) return;
    const view = this.state().view;
    this.#life += 1;
    this.#opened = false;
    this.#wanted = null;
    this.#queue = Promise.resolve();
    this.#pending = 0;
    this.pages.clear(0);
    this.#store.setState(OPENING);
    if (view) this.#forget(view.document);
  }

  #forget(document: number): void {
    this.backend.call("close_document", { document }).catch(() => {
      // The backend has forgotten the document already.
    });
  }

  #id(): number {
    const view = this.state().view;
    if (!view) throw new Error("The document is not open.");
    return view.document;
  }

  /** Sends a command, and once more if the backend had closed the document to make room for others. */
  async #send<T>(command: (document: number) => Promise<T>): Promise<T> {
    const document = this.#id();
    try {
      return await command(document);
    } catch (error) {
      const view = this.state().view;
      if (toBackendError(error).code !== "not_found" || view === null) throw error;
      if (view.document === document) await this.#reopen(document);
      return command(this.#id());
    }
  }

  async #reopen(document: number): Promise<void> {
    const opened = await this.backend.call("open_document", {
      source: this.source,
      mode: this.#mode,
      columns: this.#columns,
    });
    // Rows and a command can reopen it at the same time.
    if (this.state().view?.document === document) this.#replaced(opened);
    else this.#forget(opened.document);
  }

  #replaced(view: DocumentView): void {
    this.#store.setState({ status: "open", view, error: null });
    this.pages.replace(view.rows, view.first);
  }

  /** Queues a command. The function that `work` returns applies the result, unless the document was closed. */
  #run(work: () => Promise<(() => void) | undefined>, onFailure?: "failed"): Promise<void> {
    const life = this.#life;
    this.#pending += 1;
    if (!this.state().busy) this.#store.setState({ busy: true });
    const step = this.#queue.then(async () => {
      if (life !== this.#life) return;
      let takeOver: (() => void) | undefined;
      let failure: Partial<DocumentState> = {};
      try {
        takeOver = await work();
      } catch (error) {
        failure = { error: toBackendError(error), ...(onFailure ? { status: onFailure } : {}) };
      }
      if (life !== this.#life) return;
      takeOver?.();
      this.#pending -= 1;
      this.#store.setState({ ...failure, busy: this.#pending > 0 });
    });
    this.#queue = step;
    return step;
  }
}
