import type { LogViewState, OperationNumber, ServerId } from "../../ipc/bindings";
import { focusNames, initialServerUi, type PaneStates } from "../view";
import type { Context } from "./context";

/** The wire log of a server. */
export function wireActions(context: Context) {
  const {
    backend,
    toasts,
    setView,
    setServerUi,
    command,
    offerUndo,
    store: { getState, setState },
  } = context;

  return {
    /** Shows an entry of the log on the Wire tab. */
    showLogEntry(server: ServerId, seq: number): void {
      setView({ server, panel: null, focus: focusNames.pane("entries") });
      setServerUi(server, { tab: "wire", wireTarget: seq, maximized: null });
    },
    /** Shows all entries of an operation on the Wire tab. */
    showOperationFrames(operation: OperationNumber): void {
      const view = getState().live.operations[operation];
      if (!view) return;
      setView({ server: view.server, panel: null, focus: focusNames.pane("entries") });
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
    /** Limits the wire log to entries with issues, or with issues of one rule. */
    setWireIssuesOnly(server: ServerId, wireIssuesOnly: boolean, wireRule: string | null = null): void {
      setServerUi(server, { wireIssuesOnly, wireRule });
    },
    /** Keeps what was set in a view, over the looks at it. */
    setPaneState<K extends keyof PaneStates>(server: ServerId, part: K, change: Partial<PaneStates[K]>): void {
      const before = (getState().view.perServer[server] ?? initialServerUi)[part];
      setServerUi(server, { [part]: { ...before, ...change } });
    },
    setWireOperation(server: ServerId, wireOperation: OperationNumber | null): void {
      setServerUi(server, { wireOperation });
    },
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
      const { wire } = getState().view.perServer[server] ?? initialServerUi;
      setServerUi(server, { wire: { ...wire, selection: null } });
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
  };
}
