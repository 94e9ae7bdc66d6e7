import type { ServerId } from "../../ipc/bindings";
import {
  draftKey,
  focusNames,
  type FormTarget,
  type HelpPlace,
  type MaximizedPane,
  type Panel,
  type Tab,
  type ToolsPart,
  type ViewState,
} from "../view";
import type { Context } from "./context";

/** Actions on the selection: server, tab, panes, panels and focus. */
export function navigationActions(context: Context) {
  const { setView, serverUi, setServerUi, settingsNow, changeSettings, getState } = context;

  function selectServer(server: ServerId): void {
    const { server: before, beside } = getState().view;
    // A maximized pane would hide the selection beside it.
    const other = beside?.server === server ? before : beside?.server;
    if (other && serverUi(other).maximized !== null) setServerUi(other, { maximized: null });
    setView({ server, panel: null, focus: null });
    // A convenience for the next start: a failure is not worth a notice.
    if (settingsNow().selected_server !== server) changeSettings({ selected_server: server }).catch(() => undefined);
  }

  /**
   * Selects the server that a command returns, unless the user has moved on: a late result must not replace what was
   * opened meanwhile.
   */
  function selectWhenAnswered(): (server: ServerId) => void {
    const { server: from, panel } = getState().view;
    return (server) => {
      const { view } = getState();
      if (view.panel === panel && (panel !== null || view.server === from)) selectServer(server);
    };
  }

  /** Keeps the size of a pane, 0 for a collapsed one; `null` forgets it. */
  function setPaneSize(name: string, size: number | null): void {
    const { [name]: before, ...others } = settingsNow().pane_sizes;
    if (before === (size ?? undefined)) return;
    // A convenience: a failure is not worth a notice.
    changeSettings({ pane_sizes: size === null ? others : { ...others, [name]: size } }).catch(() => undefined);
  }

  /** Moves the focus into a pane of the tools, to the element `focus` if given, and expands a collapsed pane. */
  function focusPane(server: ServerId, pane: ToolsPart, focus: string = focusNames.pane(pane)): void {
    const { pane_sizes, runs_below } = settingsNow();
    const size = { list: "tools", form: null, runs: runs_below ? "runs_below" : "runs" }[pane];
    if (size !== null && pane_sizes[size] === 0) setPaneSize(size, null);
    setServerUi(server, { part: pane, maximized: null });
    setView({ focus });
  }

  /** Moves the focus to the first field of a tool's form, once it is rendered. */
  function focusForm(server: ServerId, tool: FormTarget): void {
    focusPane(server, "form", focusNames.form(draftKey(server, tool)));
  }

  return {
    selectWhenAnswered,
    selectServer,
    setPaneSize,
    focusPane,
    focusForm,
    /** Shows a second server beside the selected one. */
    showBeside(server: ServerId): void {
      const { view } = getState();
      if (server !== view.server) setView({ beside: { server, left: view.beside?.left ?? false }, panel: null });
    },
    /** Selects one of two servers side by side, without moving the focus. */
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
    /** Lists only the servers whose names contain a text. */
    filterServers: (serverFilter: string) => setView({ serverFilter }),
    /** Selects a server by its position in the list, from 0; does nothing if there is none. */
    selectServerAt(place: number): void {
      const server = getState().live.order[place];
      if (server !== undefined) selectServer(server);
    },
    selectTab(server: ServerId, tab: Tab): void {
      setView({ focus: null });
      setServerUi(server, { tab, maximized: null });
    },
    openPanel: (panel: Panel) => setView({ panel }),
    closePanel(): void {
      const { panel } = getState().view;
      // The page of a run returns the focus to the run.
      if (panel?.type === "keep_check") setView({ panel: null, focus: focusNames.run(panel.operation) });
      else setView({ panel: null });
    },
    /** Shows the guide, at its beginning or at a place in a page. */
    openHelp: (page = "README", at: HelpPlace | null = null) => setView({ panel: { type: "help", page, at } }),
    /** Maximizes a pane of a server's view; `null` shows all panes again. */
    maximize: (server: ServerId, maximized: MaximizedPane | null) => setServerUi(server, { maximized }),
    /** Moves the focus to the element with this mark, once it is rendered; `null` cancels that. */
    focus: (focus: string | null) => setView({ focus }),
    /** Shows a pane of the tools when there is room for only one. */
    showPart: (server: ServerId, part: ToolsPart) => setServerUi(server, { part }),
    /** Moves the focus to the tool search, once it is rendered. */
    focusSearch: (server: ServerId) => focusPane(server, "list", focusNames.search),
    setOverlay: (overlay: ViewState["overlay"]) => setView({ overlay }),
    /** Opens the context menu of a subject at a place in the window; `null` closes it. */
    setMenu: (menu: ViewState["menu"]) => setView({ menu }),
  };
}
