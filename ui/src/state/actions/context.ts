import {
  type Backend,
  type CommandArgs,
  type CommandName,
  type CommandResult,
  toBackendError,
} from "../../ipc/backend";
import type { DeletionNumber, ServerId, Settings } from "../../ipc/bindings";
import { cached } from "../../lib/cached";
import { copyText } from "../../lib/clipboard";
import { createSaver, type Saver } from "../saver";
import { sliceOf, withSlice, type Slice } from "../slices/slice";
import { UNLIMITED, wireSlice } from "../slices/wire";
import type { Store } from "../store";
import type { Toasts } from "../toasts";
import {
  initialServerUi,
  type LocalNotice,
  type ServerUi,
  type ViewState,
  withNextQuestion,
  withServer,
} from "../view";
import { createViewMemory } from "../viewMemory";

export type Context = ReturnType<typeof createContext>;

/** Creates the shared services of all actions: calls to the host, the view of the window, and the settings. */
export function createContext(backend: Backend, store: Store, toasts: Pick<Toasts, "offerUndo" | "say">) {
  const { getState, setState } = store;
  /** The settings that were sent last. The page alone changes settings, and those that it has may be older. */
  let sentSettings: Settings | null = null;
  let settingsUpdate: Promise<unknown> = Promise.resolve();
  let nextNotice = -1;

  const savers: Saver[] = [];
  const viewChanged = createViewMemory(store, newSaver(), settingsNow, changeSettings);

  function setView({ server, ...change }: Partial<ViewState>): void {
    const { view } = getState();
    const selected = server === undefined ? view : withServer(view, server);
    // Only answers and Skip, which pass the queue, lead to the next question.
    const leavesQuestions = view.panel?.type === "confirm_command" && change.panel === null;
    const next = { ...selected, ...(leavesQuestions ? { commandQueue: [] } : {}), ...change };
    setState({ view: withNextQuestion(next, view.panel) });
    viewChanged();
  }

  function serverUi(server: ServerId): ServerUi {
    return getState().view.perServer[server] ?? initialServerUi;
  }

  function changed(server: ServerId, change: Partial<ServerUi>): ServerUi {
    const before = serverUi(server);
    const leaves = before.tab === "wire" && change.tab !== undefined && change.tab !== "wire";
    const slices = leaves ? withSlice(before, wireSlice, UNLIMITED) : before.slices;
    return { ...before, slices, ...change };
  }

  function putServerUi(server: ServerId, ui: ServerUi): void {
    setView({ perServer: { ...getState().view.perServer, [server]: ui } });
  }

  const setServerUi = (server: ServerId, change: Partial<ServerUi>): void =>
    putServerUi(server, changed(server, change));

  function slice<T extends object>(server: ServerId, of: Slice<T>): T {
    return sliceOf(serverUi(server), of);
  }

  /** Changes the state of a feature, and further state of the server. */
  function setSlice<T extends object>(
    server: ServerId,
    of: Slice<T>,
    change: Partial<T>,
    more: Partial<ServerUi> = {},
  ): void {
    const ui = changed(server, more);
    putServerUi(server, { ...ui, slices: withSlice(ui, of, change) });
  }

  /** Shows a failed command in the notices bar. Notices of the window have negative ids. */
  function inform(thrown: unknown, server: ServerId | null = null): void {
    const error = toBackendError(thrown);
    const { localNotices, server: at } = getState().view;
    const notice: LocalNotice = {
      id: nextNotice--,
      level: "error",
      server,
      at,
      code: error.code,
      title: error.message,
      detail: error.detail ?? null,
    };
    const others = localNotices.filter((other) => other.title !== notice.title || other.server !== server);
    setView({ localNotices: [...others, notice] });
  }

  /** Runs work whose failure shows a notice; the result is `undefined` then. */
  async function attempt<T>(work: Promise<T>, server: ServerId | null = null): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      inform(thrown, server);
      return undefined;
    }
  }

  /** Runs a command of the host. A failure shows a notice, and the result is `undefined`. */
  function command<K extends CommandName>(
    name: K,
    args: CommandArgs<K>,
    server = (args as { readonly server?: ServerId }).server,
  ): Promise<CommandResult<K> | undefined> {
    return attempt(backend.call(name, args), server);
  }

  /** Like {@link command}, but returns true on success. */
  async function succeeds<K extends CommandName>(name: K, args: CommandArgs<K>, server?: ServerId): Promise<boolean> {
    let isDone = false;
    const work = backend.call(name, args).then(() => (isDone = true));
    await attempt(work, server ?? (args as { readonly server?: ServerId }).server);
    return isDone;
  }

  /** Copies a text and reports it; `done` names the copied thing. */
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

  function settingsNow(): Settings {
    return sentSettings ?? getState().live.settings;
  }

  /** Changes settings on top of those sent last, as settings are replaced as a whole, one update after the other. */
  function changeSettings(change: Partial<Settings>): Promise<void> {
    const settings = { ...settingsNow(), ...change };
    sentSettings = settings;
    const update = settingsUpdate.then(() => backend.call("update_settings", { settings }));
    settingsUpdate = update.catch(() => {
      if (sentSettings === settings) sentSettings = null;
    });
    return update;
  }

  /** Reports a deletion, if there was one, and offers to undo it for a while. */
  function offerUndo(title: string, deletion: DeletionNumber | null | undefined, undone?: () => void): void {
    if (deletion === null || deletion === undefined) return;
    const undo = async (): Promise<void> => {
      try {
        await backend.call("undo_deletion", { deletion });
        undone?.();
      } catch (thrown) {
        inform(thrown);
        // It is kept, unless the time to undo it is over.
        if (toBackendError(thrown).code !== "not_found") offerUndo(title, deletion, undone);
      }
    };
    toasts.offerUndo(title, {
      undo: () => void undo(),
      over: () => void backend.call("forget_deletion", { deletion }).catch(() => undefined),
    });
  }

  /** Asks for the confirmation of a command, or for missing values, if the server needs them. */
  function asksFirst(server: ServerId): boolean {
    const view = getState().live.servers[server];
    if (view && view.missing_inputs.length > 0) setView({ server, panel: { type: "edit_server", server } });
    else if (view?.confirmed === false) setView({ server, panel: { type: "confirm_command", server, how: "connect" } });
    else return false;
    return true;
  }

  /** Creates a saver of typed text, which {@link saveTyped} includes. */
  function newSaver(): Saver {
    const saver = createSaver();
    savers.push(saver);
    return saver;
  }

  /** Saves typed text and the view at once, as before the window closes. */
  async function saveTyped(): Promise<void> {
    await Promise.all(savers.map((saver) => saver.all()));
  }

  const featureActions = new Map<unknown, unknown>();

  /**
   * Returns the actions of a feature, which are created at their first use. The page asks for their code with the parts
   * that use them, so that the start does not wait for it.
   */
  function get<T>(create: (context: Context) => T): T {
    return cached(featureActions, create, () => create(context)) as T;
  }

  const context = {
    backend,
    store,
    getState,
    setState,
    toasts,
    setView,
    serverUi,
    setServerUi,
    slice,
    setSlice,
    inform,
    attempt,
    command,
    succeeds,
    copy,
    settingsNow,
    changeSettings,
    offerUndo,
    asksFirst,
    get,
    newSaver,
    saveTyped,
  };
  return context;
}
