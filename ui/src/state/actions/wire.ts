import type { LogViewState, OperationNumber, ServerId } from "../../ipc/bindings";
import { wireSlice, type WireUi } from "../slices/wire";
import { focusNames } from "../view";
import type { Context } from "./context";

/** Actions on the wire log of a server. */
export function wireActions(context: Context) {
  const { backend, toasts, setView, setSlice, command, offerUndo, getState, setState } = context;

  return {
    /** Shows an entry of the log on the Wire tab. */
    showLogEntry(server: ServerId, seq: number, limits: Partial<Pick<WireUi, "operation">> = {}): void {
      setView({ server, panel: null, focus: focusNames.pane("entries") });
      setSlice(server, wireSlice, { ...limits, target: seq }, { tab: "wire", maximized: null });
    },
    /** Shows all entries of an operation on the Wire tab. */
    showOperationFrames(operation: OperationNumber): void {
      const view = getState().live.operations[operation];
      if (!view) return;
      setView({ server: view.server, panel: null, focus: focusNames.pane("entries") });
      const limits = { operation, target: view.request_seq };
      setSlice(view.server, wireSlice, limits, { tab: "wire", maximized: null });
    },
    /** Saves a server's wire log to a file that the user chooses, and reports its path. */
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
      setSlice(server, wireSlice, { selection: null });
      offerUndo("Wire log cleared", await command("clear_log", { server }));
    },
    /**
     * Takes over the log view's state from the result of `open_log` or `filter_log`, unless an event brought a newer
     * one.
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
