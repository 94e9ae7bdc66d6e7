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

export type Navigation = ReturnType<typeof navigationActions>;

/** Actions on the selection: server, tab, panes, panels and focus. */
export function navigationActions(context: Context) {
  const { setView, serverUi, setServerUi, settingsNow, changeSettings, getState } = context;

  function selectServer(server: ServerId): void {
    const { server: before, beside } = getState().view;
    // One that fills the window would hide what is selected beside it.
    const other = beside?.server === server ? before : beside?.server;
    if (other && serverUi(other).maximized !== null) setServerUi(other, { maximized: null });
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

  /** Moves the focus to the first field of a tool's form, as soon as it is there. */
  function focusForm(server: ServerId, tool: FormTarget): void {
    focusPane(server, "form", focusNames.form(draftKey(server, tool)));
  }

  return {
    selectWhenAnswered,
    selectServer,
    focusPane,
    focusForm,
    actions: {
      selectServer,
      setPaneSize,
      focusPane,
      focusForm,
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
      /** Lists only the servers whose names contain a text. */
      filterServers(serverFilter: string): void {
        setView({ serverFilter });
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
      openPanel(panel: Panel): void {
        setView({ panel });
      },
      closePanel(): void {
        const { panel } = getState().view;
        // The page of a run gives the focus back to it.
        setView(
          panel?.type === "keep_check" ? { panel: null, focus: focusNames.run(panel.operation) } : { panel: null },
        );
      },
      /** Shows the guide, at the beginning or at a place of a page. */
      openHelp(page = "README", at: HelpPlace | null = null): void {
        setView({ panel: { type: "help", page, at } });
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
      setOverlay(overlay: ViewState["overlay"]): void {
        setView({ overlay });
      },
      /** Opens the context menu of a subject beside a place of the window; `null` closes it. */
      setMenu(menu: ViewState["menu"]): void {
        setView({ menu });
      },
    },
  };
}
