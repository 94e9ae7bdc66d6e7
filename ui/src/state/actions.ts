import {
  BackendError,
  toBackendError,
  type Backend,
  type CommandArgs,
  type CommandName,
  type CommandResult,
} from "../ipc/backend";
import type {
  Chosen,
  AnswerInput,
  OperationInput,
  OperationLabel,
  OperationNumber,
  CatalogKind,
  FaultInput,
  LogViewState,
  Notice,
  ServerRequestView,
  ServerDraft,
  ServerId,
  Settings,
  DeletionNumber,
} from "../ipc/bindings";
import { normalForm } from "../lib/address";
import { copyText } from "../lib/clipboard";
import { count } from "../lib/format";
import { itemName } from "../lib/itemName";
import { visibleText } from "../lib/visible";
import { nextZoom } from "../lib/zoom";
import { own } from "../lib/own";
import { createDocument, isPristine, resetDocument, toText, withSchema, type FormDocument } from "../schema";
import { parseJson } from "../schema/parse";
import { promptSchema } from "../schema/promptSchema";
import { hasPrivateFields } from "../schema/privacy";
import { newAnswer } from "./answers";
import { runWithIssues, type Issues } from "./issues";
import { healthOf } from "./live";
import { keptTextActions, textKey } from "./keptTexts";
import { isByHand, isReading, operationName, PROMPTS_GET, RESOURCES_READ } from "./operationName";
import { preparingActions } from "./preparing";
import { presentationActions } from "./presentations";
import { requestText, type RawRequest } from "./rawRequest";
import { savedInputActions } from "./savedInputs";
import { serverGroupActions } from "./serverGroups";
import { waitingSignIn } from "./signIn";
import type { Store } from "./store";
import { createViewMemory } from "./viewMemory";
import type { Toasts } from "./toasts";
import {
  draftKey,
  focusNames,
  formTargetOf,
  initialServerUi,
  methodOf,
  withServer,
  type Answer,
  type Draft,
  type FormTarget,
  type HelpPlace,
  type LinkSource,
  type MaximizedPane,
  type ResourceChoice,
  type ResourceKind,
  type ToolsPart,
  type Panel,
  type ServerUi,
  type Tab,
  type ViewState,
} from "./view";

/** Silence after the last keystroke before a draft is handed to the host, in milliseconds. */
const DRAFT_DELAY = 600;
/** How many replacements of one draft can be undone one after the other. */
const MOST_REPLACED = 10;

export type Actions = ReturnType<typeof createActions>;

/** All that the user can do that changes state. Commands that fail become a notice. */
export function createActions(backend: Backend, store: Store, toasts: Pick<Toasts, "offerUndo" | "say">) {
  const { getState, setState } = store;
  /** Drafts that were changed and not handed over yet. */
  const unsaved = new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly save: () => void }>();
  /** Settings that were sent and have not come back yet, with those that were known then. */
  let sent: { readonly settings: Settings; readonly known: Settings } | null = null;
  let nextNotice = -1;

  const viewMemory = createViewMemory(store, settingsNow, changeSettings);

  function setView({ server, ...change }: Partial<ViewState>): void {
    const { view } = getState();
    setState({ view: { ...(server === undefined ? view : withServer(view, server)), ...change } });
    viewMemory.changed();
  }

  function serverUi(server: ServerId): ServerUi {
    return getState().view.perServer[server] ?? initialServerUi;
  }

  function setServerUi(server: ServerId, change: Partial<ServerUi>): void {
    const { perServer } = getState().view;
    const before = serverUi(server);
    // What the wire log is limited to goes when it is left: it would be forgotten until then.
    const leaves = before.tab === "wire" && change.tab !== undefined && change.tab !== "wire";
    const all = leaves ? { wireIssuesOnly: false, wireOperation: null } : {};
    setView({ perServer: { ...perServer, [server]: { ...before, ...all, ...change } } });
  }

  /** Selects a tool or prompt, unless it is not in the list any more. */
  async function selectListed(server: ServerId, target: FormTarget): Promise<void> {
    const kind = typeof target === "string" ? "tools" : "prompts";
    const key = methodOf(target).target;
    const place = await backend.call("catalog_index", { server, kind, search: "", key }).catch(() => null);
    if (place !== null) setServerUi(server, selected(target));
  }

  /** It as the selected one, on its tab. */
  function selected(target: FormTarget): Pick<ServerUi, "tool"> | Pick<ServerUi, "prompt"> {
    return typeof target === "string" ? { tool: target } : { prompt: target.key };
  }

  /** The schema of the arguments of a tool or prompt; `null` where it is not in the list any more. */
  async function schemaOf(server: ServerId, target: FormTarget): Promise<string | null> {
    try {
      if (typeof target !== "string") {
        return promptSchema((await backend.call("prompt_detail", { server, key: target.key })).arguments);
      }
      return (await backend.call("tool_detail", { server, key: target })).input_schema ?? "{}";
    } catch (thrown) {
      if (toBackendError(thrown).code !== "not_found") inform(thrown, server);
      return null;
    }
  }

  /** Shows a failed command in the notices bar. Notices of the window have negative ids. */
  function inform(thrown: unknown, server: ServerId | null = null): void {
    const error = toBackendError(thrown);
    const notice: Notice = {
      id: nextNotice--,
      level: "error",
      server,
      code: error.code,
      title: error.message,
      detail: error.detail ?? null,
    };
    const { localNotices } = getState().view;
    const others = localNotices.filter((other) => other.title !== notice.title);
    setView({ localNotices: [...others, notice] });
  }

  /** Runs a command whose failure is worth a notice; the result is `undefined` then. */
  async function attempt<T>(work: Promise<T>, server: ServerId | null = null): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      inform(thrown, server);
      return undefined;
    }
  }

  /** Runs a command of the host; where it fails that becomes a notice, and the result is `undefined`. */
  function command<K extends CommandName>(name: K, args: CommandArgs<K>): Promise<CommandResult<K> | undefined> {
    return attempt(backend.call(name, args), (args as { readonly server?: ServerId }).server);
  }

  /** Copies a text, and says so; `done` is what was copied, in words. */
  async function copy(
    text: Promise<string>,
    done: string | (() => Promise<string>),
    server: ServerId | null = null,
  ): Promise<void> {
    const copied = await attempt(copyText(text), server);
    if (copied === undefined) return;
    if (!copied) toasts.say("The system did not take the copy");
    else toasts.say(typeof done === "string" ? done : await done());
  }

  function selectServer(server: ServerId): void {
    setView({ server, panel: null, focus: null });
    // Only convenience at the next start; not worth a notice when it fails.
    if (settingsNow().selected_server !== server) changeSettings({ selected_server: server }).catch(() => undefined);
  }

  /**
   * Selects a server that a command is about to answer with, unless the user has gone elsewhere until
   * then: a late answer must not take away what was opened meanwhile.
   */
  function selectWhenAnswered(): (server: ServerId) => void {
    const { server: from, panel } = getState().view;
    return (server) => {
      const { view } = getState();
      if (view.panel === panel && (panel !== null || view.server === from)) selectServer(server);
    };
  }

  function settingsNow(): Settings {
    const known = getState().live.settings;
    return sent?.known === known ? sent.settings : known;
  }

  /** Settings are replaced whole, so a change builds on what was sent last. */
  function changeSettings(change: Partial<Settings>): Promise<void> {
    const settings = { ...settingsNow(), ...change };
    sent = { settings, known: getState().live.settings };
    return backend.call("update_settings", { settings });
  }

  async function start(server: ServerId, how: "connect" | "restart", confirm: string | null): Promise<void> {
    try {
      if (how === "connect" || confirm !== null) await backend.call("connect", { server, confirm });
      else await backend.call("restart", { server });
    } catch (thrown) {
      if (thrown instanceof BackendError && thrown.code === "inputs_missing") {
        setView({ server, panel: { type: "edit_server", server } });
      } else if (thrown instanceof BackendError && thrown.code === "command_not_confirmed") {
        setView({ server, panel: { type: "confirm_command", server, how } });
      } else {
        inform(thrown, server);
      }
    }
  }

  function putDraft(key: string, draft: Draft): void {
    setView({ drafts: { ...getState().view.drafts, [key]: draft } });
  }

  /** Says what was deleted, if anything was, and offers to bring it back for a while. */
  function offerUndo(title: string, deletion: DeletionNumber | null | undefined, undone?: () => void): void {
    if (deletion === null || deletion === undefined) return;
    const undo = async (): Promise<void> => {
      const done = await attempt(backend.call("undo_deletion", { deletion }).then(() => true));
      if (done) undone?.();
    };
    toasts.offerUndo(title, {
      undo: () => void undo(),
      over: () => void backend.call("forget_deletion", { deletion }).catch(() => undefined),
    });
  }

  /** Puts another document into the form of a tool or prompt. What was typed there before can be brought back. */
  function replaceDraft(server: ServerId, tool: FormTarget, next: Omit<Draft, "replaced">, title: string): void {
    const key = draftKey(server, tool);
    const before = getState().view.drafts[key];
    const loses = before && !isPristine(before.document) && toText(before.document) !== toText(next.document);
    const undo = (): void => {
      // What was typed since is replaced in its turn.
      if (before && !undoReplacement(server, tool, next.document)) replaceDraft(server, tool, before, "Form restored");
    };
    const closeToast = loses ? toasts.offerUndo(title, { undo }) : () => undefined;
    const replaced = before && { before: withLess(before, MOST_REPLACED - 1), by: next.document, closeToast };
    const draft = { ...next, replaced: replaced ?? null };
    putDraft(key, draft);
    persistDraft(server, tool, draft);
  }

  /** Puts another document into the open form of a tool or prompt. `title` says what was lost by that. */
  function replaceDocument(server: ServerId, tool: FormTarget, document: FormDocument, title: string): void {
    const draft = getState().view.drafts[draftKey(server, tool)];
    if (draft) replaceDraft(server, tool, { ...draft, document }, title);
  }

  /** Brings back what was replaced last, unless something was typed since. Answers whether it did. */
  function undoReplacement(server: ServerId, tool: FormTarget, by?: FormDocument): boolean {
    const key = draftKey(server, tool);
    const draft = getState().view.drafts[key];
    if (!draft?.replaced || draft.document !== draft.replaced.by) return false;
    if (by !== undefined && draft.document !== by) return false;
    const { before, closeToast } = draft.replaced;
    putDraft(key, before);
    persistDraft(server, tool, before);
    closeToast();
    return true;
  }

  /** Hands over at once what was typed for a server; of all servers where it is empty. */
  function saveDraftsOf(server: ServerId): void {
    for (const [key, { timer, save }] of unsaved) {
      if (server !== "" && !key.startsWith(draftKey(server, ""))) continue;
      clearTimeout(timer);
      save();
    }
  }

  /**
   * Makes sure that there is a draft for a tool or prompt whose definition is known: an open one follows
   * a changed schema, a kept one is loaded, else a new one begins.
   */
  async function openDraft(server: ServerId, tool: FormTarget, schemaText: string): Promise<void> {
    const key = draftKey(server, tool);
    const open = getState().view.drafts[key];
    if (open) {
      if (open.schemaText !== schemaText) {
        putDraft(key, {
          document: withSchema(open.document, schemaText),
          isPrivate: hasPrivateFields(schemaText),
          schemaText,
          input: open.input,
          replaced: null,
        });
      }
      return;
    }
    const kept = await backend.call("load_draft", { server, ...methodOf(tool) }).catch(() => null);
    // Something may have been typed or restored in the meantime: that wins.
    if (getState().view.drafts[key]) return;
    putDraft(key, {
      document: createDocument(schemaText, kept ?? undefined),
      isPrivate: hasPrivateFields(schemaText),
      schemaText,
      input: null,
      replaced: null,
    });
  }

  function persistDraft(server: ServerId, tool: FormTarget, draft: Draft): void {
    saveSoon(draftKey(server, tool), () => saveDraft(server, tool, draft));
  }

  /** Hands something over a moment after its last change. */
  function saveSoon(key: string, hand: () => void): void {
    clearTimeout(unsaved.get(key)?.timer);
    const save = (): void => {
      unsaved.delete(key);
      hand();
    };
    unsaved.set(key, { timer: setTimeout(save, DRAFT_DELAY), save });
  }

  /** Loads what was typed for the variables of a template, unless that is here. */
  async function openTemplate(server: ServerId, template: string): Promise<void> {
    if (own(serverUi(server).templateValues, template)) return;
    const draft = { server, method: RESOURCES_READ, target: template };
    const kept = await backend.call("load_draft", draft).catch(() => null);
    const { templateValues } = serverUi(server);
    // Something may have been typed in the meantime: that wins.
    if (kept === null || own(templateValues, template)) return;
    setServerUi(server, { templateValues: { ...templateValues, [template]: templateTexts(kept) } });
  }

  function saveDraft(server: ServerId, tool: FormTarget, draft: Draft): void {
    backend
      .call("save_draft", { server, ...methodOf(tool), text: toText(draft.document), private: draft.isPrivate })
      .catch((thrown: unknown) => inform(thrown, server));
  }

  /** Keeps what was typed into a server's form; `null` forgets it. */
  function setServerForm(key: string, draft: ServerDraft | null): void {
    const serverForms = { ...getState().view.serverForms };
    if (draft) serverForms[key] = draft;
    else delete serverForms[key];
    setView({ serverForms });
  }

  /** Keeps the size of a pane, 0 for a collapsed one; `null` forgets it. */
  function setPaneSize(name: string, size: number | null): void {
    const { [name]: before, ...others } = settingsNow().pane_sizes;
    if (before === (size ?? undefined)) return;
    // Only convenience; not worth a notice when it fails.
    changeSettings({ pane_sizes: size === null ? others : { ...others, [name]: size } }).catch(() => undefined);
  }

  /** Moves the focus into a pane of the tools, to `focus` where that is named, and shows it where it is collapsed. */
  function focusPane(server: ServerId, pane: ToolsPart, focus: string = focusNames.pane(pane)): void {
    const { pane_sizes, runs_below } = settingsNow();
    const size = { list: "tools", form: null, runs: runs_below ? "runs_below" : "runs" }[pane];
    if (size !== null && pane_sizes[size] === 0) setPaneSize(size, null);
    setServerUi(server, { part: pane, maximized: null });
    setView({ focus });
  }

  /** Reads a resource and selects the new run. */
  function readResource(server: ServerId, uri: string): Promise<OperationNumber | undefined> {
    const input = { method: RESOURCES_READ, target: uri, arguments: null, params: null, force: false };
    return startOperation(server, input);
  }

  /** Shows a resource on the Resources tab. */
  function showResource(server: ServerId, resource: ResourceChoice): void {
    const list = resource.type === "item" ? { resourceKind: resource.kind } : {};
    setServerUi(server, { tab: "resources", resource, maximized: null, ...list });
  }

  /** Shows what has this URI on the Resources tab: the resource, where it is in the list. */
  async function showUri(server: ServerId, uri: string): Promise<void> {
    const list = { server, kind: "resources" as const, search: "" };
    const place = await backend.call("catalog_index", { ...list, key: uri }).catch(() => null);
    showResource(server, place === null ? { type: "uri", uri } : { type: "item", kind: "resources", key: uri });
  }

  /** Shows an operation among the runs, with the form of what it is about beside it. */
  function showOperation(operation: OperationNumber): void {
    const { live } = getState();
    const view = live.operations[operation];
    if (!view) return;
    setView({ server: view.server, panel: null });
    const shown = { run: operation, part: "runs", maximized: null } as const;
    if (isByHand(view)) {
      setServerUi(view.server, { tab: "request", ...shown });
      return;
    }
    if (isReading(view) && view.target !== null) {
      setServerUi(view.server, { tab: "resources", ...shown });
      // Of a long URI only the beginning is known.
      if (!view.target.endsWith("…")) void showUri(view.server, view.target);
      return;
    }
    setServerUi(view.server, { tab: view.method === PROMPTS_GET ? "prompts" : "tools", ...shown });
    const target = formTargetOf(view);
    if (target !== null) void selectListed(view.server, target);
  }

  /** Starts an operation and selects its run. */
  async function startOperation(server: ServerId, operation: OperationInput): Promise<OperationNumber | undefined> {
    const run = await command("start_operation", { server, operation });
    if (run !== undefined) {
      const { maximized } = serverUi(server);
      // What was started comes into sight.
      const hidden = maximized === "list" || maximized === "form";
      setServerUi(server, { run, part: "runs", maximized: hidden ? null : maximized });
    }
    return run;
  }

  /** Moves the focus to the first field of a tool's form, as soon as it is there. */
  function focusForm(server: ServerId, tool: FormTarget): void {
    focusPane(server, "form", focusNames.form(draftKey(server, tool)));
  }

  const presentations = presentationActions({
    store,
    setGiving(giving) {
      const { giving: before, left } = getState().view;
      const id = before?.presentation ?? null;
      const kept = before !== null && id !== null && giving === null ? { ...left, [id]: before } : left;
      setView({ giving, left: kept, overlay: null, menu: null });
    },
    updateSettings: (change) => attempt(changeSettings(change(settingsNow()))),
    command,
    offerUndo,
  });
  const preparing = preparingActions({ backend, store, toasts, command, presentations, inform, setView });
  const keptTexts = keptTextActions({ backend, store, setView, inform });

  return {
    setServerForm,
    setPaneSize,
    focusPane,
    focusForm,
    inform,
    attempt,
    command,
    copy,

    // ---- selection -------------------------------------------------------------------------
    selectServer,
    /** Shows a second server beside the selected one. */
    showBeside(server: ServerId): void {
      const { view } = getState();
      if (server !== view.server) setView({ beside: { server, left: view.beside?.left ?? false }, panel: null });
    },
    /** Selects one of two servers side by side. The focus stays. */
    activateSide(server: ServerId): void {
      setView({ server });
      changeSettings({ selected_server: server }).catch(() => undefined);
    },
    /** Closes one of two servers side by side; the other one stays. */
    closeSide(server: ServerId): void {
      const { view } = getState();
      if (view.beside === null) return;
      if (server === view.server) setView({ server: view.beside.server, focus: null });
      setView({ beside: null });
    },
    /** Selects the n-th server of the list, from 0; nothing when there is none. */
    selectServerAt(place: number): void {
      const server = getState().live.order[place];
      if (server !== undefined) selectServer(server);
    },
    selectTab(server: ServerId, tab: Tab): void {
      setView({ focus: null });
      setServerUi(server, { tab, maximized: null });
    },
    selectTool(server: ServerId, tool: string | null): void {
      setServerUi(server, { tool });
    },
    selectPrompt(server: ServerId, prompt: string | null): void {
      setServerUi(server, { prompt });
    },
    setSearch(server: ServerId, kind: CatalogKind, search: string): void {
      setServerUi(server, { search: { ...serverUi(server).search, [kind]: search } });
    },
    selectRun(server: ServerId, run: OperationNumber | null): void {
      setServerUi(server, { run });
    },
    dismissDiff(server: ServerId, kind: CatalogKind, at: number): void {
      const before = serverUi(server).seenDiff[kind] ?? 0;
      const seen = (until: number): void =>
        setServerUi(server, { seenDiff: { ...serverUi(server).seenDiff, [kind]: until } });
      seen(at);
      toasts.offerUndo("Changes of the list dismissed", { undo: () => seen(before) });
    },
    showOperation,
    /** Shows an entry of the log on the Wire tab. */
    showLogEntry(server: ServerId, seq: number): void {
      setView({ server, panel: null });
      setServerUi(server, { tab: "wire", wireTarget: seq, maximized: null });
    },
    /** Shows all entries of an operation on the Wire tab. */
    showOperationFrames(operation: OperationNumber): void {
      const view = getState().live.operations[operation];
      if (!view) return;
      setView({ server: view.server, panel: null });
      setServerUi(view.server, {
        tab: "wire",
        wireOperation: operation,
        wireTarget: view.request_seq,
        maximized: null,
      });
    },
    /** The wire pane has scrolled to its target. */
    clearWireTarget(server: ServerId): void {
      setServerUi(server, { wireTarget: null });
    },
    /** Shows what does not follow the specification in one of the places where there is any. */
    showIssues(server: ServerId, where: keyof Issues): void {
      const run = where === "results" ? runWithIssues(getState().live, server) : undefined;
      if (run !== undefined) return showOperation(run);
      setView({ server, panel: null });
      if (where === "wire") setServerUi(server, { tab: "wire", wireOperation: null, wireIssuesOnly: true });
      else setServerUi(server, { tab: where === "results" ? "tools" : where, part: "list", maximized: null });
    },
    setWireIssuesOnly(server: ServerId, wireIssuesOnly: boolean): void {
      setServerUi(server, { wireIssuesOnly });
    },
    setWireOperation(server: ServerId, wireOperation: OperationNumber | null): void {
      setServerUi(server, { wireOperation });
    },
    openPanel(panel: Panel): void {
      setView({ panel });
    },
    closePanel(): void {
      setView({ panel: null });
    },
    /** Shows the guide, at the beginning or at a place of a page. */
    openHelp(page = "README", at: HelpPlace | null = null): void {
      setView({ panel: { type: "help", page, at } });
    },
    /** Gives up what was typed into a server's form, and closes it. */
    discardServerForm(server: ServerId | null): void {
      const key = server ?? "new";
      const { panel, serverForms } = getState().view;
      const typed = serverForms[key];
      setServerForm(key, null);
      setView({ panel: null });
      if (!typed) return;
      const undo = (): void => {
        setServerForm(key, typed);
        setView({ panel });
      };
      toasts.offerUndo("Changes of the server discarded", { undo });
    },
    /** Shows one pane of a server's view in the place of all; `null` shows all again. */
    maximize(server: ServerId, maximized: MaximizedPane | null): void {
      setServerUi(server, { maximized });
    },
    /** Moves the focus to the element with this mark, now or as soon as it is there; `null` gives that up. */
    focus(focus: string | null): void {
      setView({ focus });
    },
    /** Shows a pane of the tools where there is room for one only. */
    showPart(server: ServerId, part: ToolsPart): void {
      setServerUi(server, { part });
    },
    /** Moves the focus to the tool search, now or as soon as it is there. */
    focusSearch(server: ServerId): void {
      focusPane(server, "list", focusNames.search);
    },
    /** Shows the form of a tool or prompt, with the focus in it. */
    openTool(server: ServerId, tool: FormTarget): void {
      selectServer(server);
      setServerUi(server, { tab: typeof tool === "string" ? "tools" : "prompts", ...selected(tool) });
      focusForm(server, tool);
    },
    setOverlay(overlay: ViewState["overlay"]): void {
      setView({ overlay });
    },
    /** Opens the context menu of a subject beside a place of the window; `null` closes it. */
    setMenu(menu: ViewState["menu"]): void {
      setView({ menu });
    },

    // ---- servers -----------------------------------------------------------------------------
    /** Saves a server's form; `null` adds a server. Answers its id, or nothing when it failed. */
    async saveServer(
      server: ServerId | null,
      draft: ServerDraft,
      refused: (error: BackendError) => boolean = () => false,
    ): Promise<ServerId | undefined> {
      const select = selectWhenAnswered();
      let saved: ServerId;
      try {
        if (server === null) saved = await backend.call("add_server", { draft });
        else {
          await backend.call("update_server", { server, draft });
          saved = server;
        }
      } catch (thrown) {
        if (!refused(toBackendError(thrown))) inform(thrown, server);
        return undefined;
      }
      setServerForm(server ?? "new", null);
      select(saved);
      return saved;
    },
    /** Adds the chosen servers of a text, and selects the first, which it answers. */
    async importServers(text: string, chosen: Chosen[]): Promise<ServerId | undefined> {
      const select = selectWhenAnswered();
      const added = await command("import_servers", { text, chosen });
      const first = added?.[0];
      if (first !== undefined) select(first);
      return first;
    },
    /** Adds the chosen servers of files of other clients, and selects the first. */
    async importInstalled(files: readonly CommandArgs<"import_installed">[]): Promise<void> {
      const select = selectWhenAnswered();
      let first: ServerId | undefined;
      for (const file of files) {
        // oxlint-disable-next-line no-await-in-loop
        const added = await command("import_installed", file);
        if (added === undefined) break;
        first ??= added[0];
      }
      if (first !== undefined) select(first);
    },
    async duplicateServer(server: ServerId): Promise<void> {
      const select = selectWhenAnswered();
      const copy = await command("duplicate_server", { server });
      if (copy !== undefined) select(copy);
    },
    /** Disconnects and removes a server with all that belongs to it. */
    async removeServer(server: ServerId): Promise<void> {
      const { live } = getState();
      const name = visibleText(live.servers[server]?.config.name ?? "");
      const isConnected = live.sessions[server]?.phase === "ready";
      saveDraftsOf(server);
      const deletion = await command("remove_server", { server });
      offerUndo(`“${name}” ${isConnected ? "disconnected and removed" : "removed"}`, deletion, () =>
        selectServer(server),
      );
    },
    ...presentations,
    ...savedInputActions({
      backend,
      store,
      toasts,
      presentations,
      setView,
      setServerUi,
      focusForm,
      openDraft,
      putDraft,
      replaceDraft,
    }),
    ...preparing,
    ...keptTexts,
    ...serverGroupActions({ store, setEdited: (editedGroup) => setView({ editedGroup }), command, offerUndo }),

    // ---- connection ------------------------------------------------------------------------
    /** Connects, or asks for what is missing or for the confirmation of the command first. */
    connect(server: ServerId): Promise<void> {
      const view = getState().live.servers[server];
      if (view && view.missing_inputs.length > 0) {
        setView({ server, panel: { type: "edit_server", server } });
        return Promise.resolve();
      }
      if (view && !view.confirmed) {
        setView({ server, panel: { type: "confirm_command", server, how: "connect" } });
        return Promise.resolve();
      }
      return start(server, "connect", null);
    },
    restart(server: ServerId): Promise<void> {
      return start(server, "restart", null);
    },
    /** Does what helps a connection that does not work: another session, or another connection. */
    async reconnect(server: ServerId): Promise<void> {
      if (healthOf(getState().live, server)?.code === "session_rejected") await command("reopen_session", { server });
      else await start(server, "restart", null);
    },
    /** Connects with the command that the user saw and accepted. */
    connectConfirmed(server: ServerId, fingerprint: string): Promise<void> {
      // What a presentation asks for on the way is no panel, and what it was begun from stays.
      if (getState().view.panel?.type === "confirm_command") setView({ panel: null });
      return start(server, "connect", fingerprint);
    },
    /** Disturbs the connection on purpose. Answers whether it was done. */
    async injectFault(server: ServerId, fault: FaultInput): Promise<boolean> {
      const done = await attempt(
        backend.call("inject_fault", { server, fault }).then(() => true),
        server,
      );
      return done === true;
    },
    setFaultsOpen(server: ServerId, faultsOpen: boolean): void {
      setServerUi(server, { faultsOpen });
    },
    setRawFrame(server: ServerId, rawFrame: string): void {
      setServerUi(server, { rawFrame });
    },

    // ---- signing in --------------------------------------------------------------------------
    async cancelSignIn(server: ServerId): Promise<void> {
      setServerUi(server, { redirect: null });
      await command("cancel_sign_in", { server });
    },
    /** Keeps what is typed as the address at which the browser ended. */
    setRedirect(server: ServerId, signIn: string, text: string): void {
      setServerUi(server, { redirect: { signIn, text } });
    },
    /** Goes on with that address. Answers why it was not taken; `null` once it was, and it is forgotten. */
    async pasteRedirect(server: ServerId, number: number, address: string): Promise<string | null> {
      try {
        await backend.call("paste_redirect", { server, attempt: number, address });
      } catch (thrown) {
        const { code, message, detail } = toBackendError(thrown);
        // Why it is not the answer stands in the detail, as a sentence.
        return code === "invalid_input" && detail !== undefined ? `${message} ${detail}` : message;
      }
      setServerUi(server, { redirect: null });
      return null;
    },
    /** Moves the focus to the sign-in that waits for the user; without one, shows all about signing in. */
    showSignIn(server: ServerId): void {
      const waits = waitingSignIn(getState().live.auth[server]) !== null;
      setView({ server, panel: null, ...(waits ? { signInFocus: server } : {}) });
      setServerUi(server, waits ? { signInFolded: null } : { tab: "sign_in" });
    },
    /** The card of a sign-in has had its chance to take the focus. */
    signInFocused(server: ServerId, signIn: string): void {
      if (getState().view.signInFocus === server) setView({ signInFocus: null });
      setServerUi(server, { signInSeen: signIn });
    },
    /** Folds the card of a sign-in above the tabs away; `null` opens it again. */
    foldSignIn(server: ServerId, signInFolded: string | null): void {
      setServerUi(server, { signInFolded });
    },

    // ---- server requests -------------------------------------------------------------------------
    /** Makes sure that there is an answer to type into. */
    openAnswer(request: ServerRequestView): void {
      const { answers } = getState().view;
      if (request.request in answers) return;
      setView({ answers: { ...answers, [request.request]: newAnswer(request) } });
    },
    /** Keeps what was typed as an answer, as long as the server request is open. */
    changeAnswer(request: number, change: Partial<Answer>): void {
      const { answers } = getState().view;
      const answer = answers[request];
      if (answer) setView({ answers: { ...answers, [request]: { ...answer, ...change } } });
    },
    /** Folds the server requests above the tabs away, or opens them again. */
    foldServerRequests(server: ServerId, serverRequestsFolded: boolean): void {
      setServerUi(server, { serverRequestsFolded });
    },
    /** Answers a server request. Answers whether it was taken; what was typed stays until the host says so. */
    async answerServerRequest(request: ServerRequestView, answer: AnswerInput): Promise<boolean> {
      const done = await attempt(
        backend.call("answer_server_request", { request: request.request, answer }).then(() => true),
        request.server,
      );
      return done === true;
    },

    // ---- operations -----------------------------------------------------------------------------
    /**
     * Calls a tool or gets a prompt with exactly this text, and selects the new run. `force` also calls
     * a tool that the protocol forbids to call; `params` has further members of `params`.
     */
    run(
      server: ServerId,
      target: FormTarget,
      text: string | null,
      force = false,
      params: string | null = null,
    ): Promise<OperationNumber | undefined> {
      return startOperation(server, { ...methodOf(target), arguments: text, params, force });
    },
    /** Sends a request or a notification with exactly these params and selects the new run. */
    sendRequest(server: ServerId, request: Omit<OperationInput, "force">): Promise<OperationNumber | undefined> {
      return startOperation(server, { ...request, force: false });
    },
    /** Puts a request into the form for requests by hand, and shows it. */
    async editRequest(server: ServerId, request: RawRequest): Promise<void> {
      const which = { type: "request" } as const;
      await keptTexts.openText(server, which);
      const before = getState().view.texts[textKey(server, which)] ?? "";
      const text = requestText(request);
      keptTexts.changeText(server, which, text);
      if (before !== "" && before !== text) {
        toasts.offerUndo("Raw request replaced", { undo: () => keptTexts.changeText(server, which, before) });
      }
      setView({ server, panel: null });
      setServerUi(server, { tab: "request", maximized: null });
    },
    readResource,

    // ---- resources ------------------------------------------------------------------------------
    /** Shows one of the lists of the resources. */
    showResourceKind(server: ServerId, resourceKind: ResourceKind): void {
      setServerUi(server, { resourceKind });
    },
    selectResource(server: ServerId, resource: ResourceChoice | null): void {
      setServerUi(server, { resource });
    },
    /** Shows a resource or a template, with the focus in it. */
    openResource(server: ServerId, kind: ResourceKind, key: string): void {
      selectServer(server);
      showResource(server, { type: "item", kind, key });
      focusPane(server, "form");
    },
    /** Reads what a URI of a result leads to, and shows it among the resources. */
    async openUri(server: ServerId, uri: string): Promise<void> {
      await showUri(server, uri);
      const operation = await readResource(server, uri);
      if (operation !== undefined) setView({ focus: focusNames.run(operation) });
    },
    openTemplate,
    /** Keeps what is typed for a variable of a template, and hands it to the host a moment after the last change. */
    setTemplateValue(server: ServerId, template: string, variable: string, text: string): void {
      const { templateValues } = serverUi(server);
      const values = { ...own(templateValues, template), [variable]: text };
      setServerUi(server, { templateValues: { ...templateValues, [template]: values } });
      const draft = { server, method: RESOURCES_READ, target: template, text: JSON.stringify(values), private: false };
      saveSoon(draftKey(server, `${RESOURCES_READ}\n${template}`), () => {
        backend.call("save_draft", draft).catch((thrown: unknown) => inform(thrown, server));
      });
    },

    /** Shows the fields for the name and the note of a run; `null` closes them. */
    editLabel(server: ServerId, labelling: OperationNumber | null): void {
      setServerUi(server, labelling === null ? { labelling } : { labelling, run: labelling, part: "runs" });
    },
    /** Changes the name, the note or the pin of a run. Answers whether that was taken. */
    async labelRun(operation: OperationNumber, change: Partial<OperationLabel>): Promise<boolean> {
      const shown = getState().live.operations[operation];
      if (!shown) return false;
      // A long note is cut in what the window holds.
      const view = shown.cut ? await attempt(backend.call("operation", { operation }), shown.server) : shown;
      if (!view) return false;
      const before = view.label;
      const put = (label: OperationLabel): Promise<true | undefined> =>
        attempt(
          backend.call("label_operation", { operation, label }).then(() => true as const),
          view.server,
        );
      const label = { ...before, ...change };
      const done = (await put(label)) === true;
      const replaces = (a: string | null, b: string | null): boolean => a !== null && a !== b;
      if (done && (replaces(before.name, label.name) || replaces(before.note, label.note))) {
        toasts.offerUndo("Name or note of the run replaced", { undo: () => void put(before) });
      }
      return done;
    },

    /** Deletes finished runs. */
    async deleteRuns(server: ServerId, operations: readonly OperationNumber[]): Promise<void> {
      const [first] = operations;
      const only = operations.length === 1 && first !== undefined ? getState().live.operations[first] : undefined;
      const deletion = await attempt(backend.call("delete_operations", { operations: [...operations] }), server);
      const what = only
        ? only.label.name === null
          ? `Run of “${itemName({ title: only.title, name: operationName(only) })}”`
          : `Run “${visibleText(only.label.name)}”`
        : count(operations.length, "run", "runs");
      offerUndo(`${what} deleted`, deletion);
    },

    // ---- drafts ----------------------------------------------------------------------------
    openDraft,
    replaceDocument,
    /** Empties a tool's form. */
    resetDraft(server: ServerId, tool: FormTarget): void {
      const draft = getState().view.drafts[draftKey(server, tool)];
      if (!draft) return;
      const document = resetDocument(draft.document);
      replaceDraft(server, tool, { ...draft, document, input: null }, "Form reset");
    },
    undoReplacement,
    /** Keeps what was typed, and hands it to the host a moment after the last change. */
    changeDraft(server: ServerId, tool: FormTarget, document: FormDocument): void {
      const key = draftKey(server, tool);
      const open = getState().view.drafts[key];
      if (!open) return;
      const draft = { ...open, document };
      putDraft(key, draft);
      persistDraft(server, tool, draft);
    },
    /** Hands over at once what was typed, as before the window goes. */
    saveDrafts: () => {
      saveDraftsOf("");
      keptTexts.saveTexts();
      void preparing.savePresentations();
      viewMemory.flush();
    },
    /**
     * Puts the arguments of an operation into the form of its tool or prompt, shown on its tab, and moves
     * the focus to its first field. Answers false when it is not in the list any more.
     */
    async restoreArguments(server: ServerId, target: FormTarget, text: string): Promise<boolean> {
      const schemaText = await schemaOf(server, target);
      if (schemaText === null) return false;
      // What is kept of it must not be replaced unseen.
      await openDraft(server, target, schemaText);
      const isPrivate = hasPrivateFields(schemaText);
      const document = createDocument(schemaText, text);
      const draft = { document, isPrivate, schemaText, input: null };
      replaceDraft(server, target, draft, "Form replaced by the arguments of the run");
      setView({ server, panel: null, focus: focusNames.form(draftKey(server, target)) });
      const tab = typeof target === "string" ? "tools" : "prompts";
      setServerUi(server, { tab, ...selected(target), part: "form", maximized: null });
      return true;
    },

    // ---- log views -------------------------------------------------------------------------
    /** Saves a server's wire log where the user says, and says where it is. */
    async saveLog(server: ServerId): Promise<void> {
      const path = await command("save_log", { server });
      if (path === undefined || path === null) return;
      toasts.say(`Wire log saved as ${path}`, {
        label: "Show in folder",
        run: () => void command("show_saved_file", { path }),
      });
    },
    /** Empties a server's wire log. */
    async clearLog(server: ServerId): Promise<void> {
      offerUndo("Wire log cleared", await command("clear_log", { server }));
    },
    /**
     * Takes over the state that `open_log` or `filter_log` answered, unless a newer one has come
     * by event already.
     */
    adoptLog(log: LogViewState): void {
      const { live } = getState();
      const known = live.logs[log.view];
      if (known && known.epoch > log.epoch) return;
      if (known?.epoch === log.epoch && known.total >= log.total && known.changes >= log.changes) return;
      setState({ live: { ...live, logs: { ...live.logs, [log.view]: log } } });
    },
    /** Closes a log view. */
    closeLog(view: number): void {
      const { live } = getState();
      const logs = { ...live.logs };
      delete logs[view];
      setState({ live: { ...live, logs } });
      backend.call("close_log", { view }).catch(() => undefined);
    },

    // ---- the rest --------------------------------------------------------------------------
    async dismissNotice(id: number): Promise<void> {
      if (id >= 0) return offerUndo("Notice dismissed", await command("dismiss_notice", { id }));
      const notice = getState().view.localNotices.find((one) => one.id === id);
      if (!notice) return;
      const others = (): readonly Notice[] => getState().view.localNotices.filter((one) => one.id !== id);
      setView({ localNotices: others() });
      // Newer ones have smaller numbers.
      const undo = (): void => setView({ localNotices: [...others(), notice].toSorted((a, b) => b.id - a.id) });
      toasts.offerUndo("Notice dismissed", { undo });
    },
    /** Shows the window one step larger (1) or smaller (-1), or as it was made (0). */
    async zoom(by: -1 | 0 | 1): Promise<void> {
      await attempt(changeSettings({ zoom: by === 0 ? 100 : nextZoom(settingsNow().zoom, by) }));
    },
    async updateSettings(change: Partial<Settings>): Promise<void> {
      await attempt(changeSettings(change));
    },
    /** Asks the user whether to open an address; the only way out of the window. */
    askToOpen(url: string, from: LinkSource = "server"): void {
      setView({ opening: { url, from } });
    },
    /** Opens a page whose whole address stands beside the button that was pressed. Answers whether it was opened. */
    async openPage(address: string): Promise<boolean> {
      const opened = await attempt(backend.call("open_external", { url: normalForm(address) }).then(() => true));
      return opened === true;
    },
    async answerOpen(open: boolean): Promise<void> {
      const { opening } = getState().view;
      setView({ opening: null });
      if (open && opening) await command("open_external", { url: normalForm(opening.url) });
    },
  };
}

/** The texts of a kept draft of a template; none where it is something else. */
function templateTexts(kept: string): Readonly<Record<string, string>> {
  const read = parseJson(kept);
  if (!read.ok || read.node.kind !== "object") return {};
  return Object.fromEntries(
    read.node.members.flatMap(({ key, value }) => (value.kind === "string" ? [[key, value.value]] : [])),
  );
}

/** A draft that remembers at most so many replacements. */
function withLess(draft: Draft, most: number): Draft {
  const { replaced } = draft;
  if (!replaced) return draft;
  return { ...draft, replaced: most > 0 ? { ...replaced, before: withLess(replaced.before, most - 1) } : null };
}
