import * as icons from "lucide-react";

import { previousRun } from "../features/runs/previousRun";
import {
  copyArguments,
  copyResult,
  editArguments,
  hasCopyableResult,
  notAgain,
  runAgain,
  saveArguments,
} from "../features/runs/runCommands";
import { isStoppable } from "../features/runs/runWords";
import type {
  OperationNumber,
  OperationView,
  PromptDetail,
  ResourceDetail,
  ServerId,
  SkillDetail,
  ToolDetail,
} from "../ipc/bindings";
import { itemName } from "../lib/itemName";
import { prettyJson } from "../schema/print";
import { catalogActions } from "../state/actions/catalogs";
import { operationActions } from "../state/actions/operations";
import { wireActions } from "../state/actions/wire";
import type { App } from "../state/app";
import { isItemTab, itemTabs, itemTabsOf, shownTab, type ItemTab } from "../state/itemTabs";
import { subscriptionTo } from "../state/live";
import { isByHand, isReading, PROMPTS_GET, TOOLS_CALL } from "../state/operationName";
import { placeBeside, placeOf, sectionsOf } from "../state/serverGroups";
import { detailCommand, isResourceKind, SELECTED } from "../state/slices/items";
import { copyEntryAs, copyRunAs } from "../state/snippets/copySnippet";
import type { AppState } from "../state/store";
import { presentationsOf } from "../state/typedPresentations";
import {
  focusNames,
  formTargetOf,
  initialServerUi,
  tabs,
  type MaximizedPane,
  type Tab,
  type ToolsPart,
} from "../state/view";
import { wholeText } from "../state/wholeText";
import {
  handlerRow,
  hasBeside,
  moveRows,
  onServer,
  panelRow,
  removeRow,
  type Of,
  type Row,
  type Table,
  type TheWindow,
} from "./actionRow";
import { checkingRows, checkRows, keepCheckRow } from "./checkingRows";
import { focusSearch, movePane } from "./focus";
import { giveRow, givingRows, markedKey } from "./givingRows";
import { inputRows, presentationRows, presentingRows, stepRows } from "./presentingRows";
import { TABS, tabStatus } from "./tabs";
import { preparingActions } from "../state/preparing";
import { presentationActions } from "../state/presentations";

const phase = (state: AppState, server: ServerId) => state.live.sessions[server]?.phase ?? "idle";
const isOpen = (state: AppState, server: ServerId) => ["ready", "connecting"].includes(phase(state, server));
const hasServer = (_: unknown, { view }: AppState) => view.server !== null;

/** Returns the finished runs of the selected server that are not pinned. */
function clearableRuns({ live, view }: AppState): readonly OperationNumber[] {
  return (live.operationOrder[view.server ?? ""] ?? []).filter((operation) => {
    const run = live.operations[operation];
    return run?.state === "finished" && !run.label.pinned;
  });
}

/** Returns the selected server's part of the view, unless a panel hides it. */
function shownUi({ view }: AppState) {
  if (view.server === null || view.panel !== null) return null;
  return view.perServer[view.server] ?? initialServerUi;
}

/** Shows a tab of the selected server. */
function showTab(tab: Tab, { actions }: App, server: ServerId): void {
  actions.closePanel();
  actions.selectTab(server, tab);
}

/** Shows a tab of the selected server, with the focus in its list or its first element. */
function goToTab(tab: Tab, app: App, server: ServerId): void {
  showTab(tab, app, server);
  app.actions.focus(focusNames.pane("content"));
}

/** Shows the tab with list, form and runs of the selected server, unless it is visible. */
function showItems(app: App, server: ServerId): void {
  const { view, live } = app.store.getState();
  const { tab } = view.perServer[server] ?? initialServerUi;
  showTab(isItemTab(tab) ? shownTab(live, server, tab) : "tools", app, server);
}

/** Builds the action that shows a tab of the selected server, if the server has it. */
function tabRow(tab: Tab): Row<TheWindow> {
  const { action, icon, keys } = TABS[tab];
  return {
    id: `show_${tab}`,
    title: action,
    icon,
    keys,
    when: (_, state) => state.view.server !== null && tabStatus(tab, state, state.view.server) !== null,
    run: onServer((app, server) => goToTab(tab, app, server)),
  };
}

/** Builds the action that reads the lists of an item tab again, if the server has it. */
function refreshRow(tab: ItemTab, title: string): Row<Of<"server">> {
  return {
    id: `refresh_${tab}`,
    title,
    icon: icons.RefreshCw,
    when: ({ server }, { live }) => itemTabsOf(live, server, "tools").includes(tab),
    enabled: ({ server }, state) => phase(state, server) === "ready",
    run: ({ server }, { actions }) => {
      for (const kind of itemTabs[tab]) void actions.command("refresh_catalog", { server, kind });
    },
  };
}

function paneRow(pane: ToolsPart, title: string, keys: string, icon: icons.LucideIcon): Row<TheWindow> {
  return {
    id: `go_${pane}`,
    title,
    icon,
    keys: [keys],
    when: hasServer,
    run: onServer((app, server) => {
      showItems(app, server);
      app.actions.focusPane(server, pane);
    }),
  };
}

/** Builds the action that maximizes a pane while a tab with it is visible. */
function maximizeRow(pane: MaximizedPane, name: string, hasPane: (tab: Tab) => boolean): Row<TheWindow> {
  return {
    id: `maximize_${pane}`,
    title: `Maximize the ${name}`,
    words: "full size",
    icon: icons.Maximize2,
    when: (_, state) => {
      const ui = shownUi(state);
      return ui !== null && ui.maximized === null && hasPane(ui.tab);
    },
    run: onServer(({ actions }, server) => actions.maximize(server, pane)),
  };
}

function zoomRow(id: string, title: string, keys: string, icon: icons.LucideIcon, by: -1 | 0 | 1): Row<TheWindow> {
  return { id, title, icon, keys: [keys], always: true, run: (_, { actions }) => void actions.zoom(by) };
}

const runOf = ({ operation }: Of<"run">, { live }: AppState) => live.operations[operation];

/** Tests the run of a subject, if the run still exists. */
function ifRun(
  holds: (run: OperationView, state: AppState) => boolean,
): (subject: Of<"run">, state: AppState) => boolean {
  return (subject, state) => {
    const run = runOf(subject, state);
    return run !== undefined && holds(run, state);
  };
}

/** Runs an action with the run of a subject, if the run still exists. */
function withRun(act: (app: App, run: OperationView) => unknown): (subject: Of<"run">, app: App) => void {
  return (subject, app) => {
    const run = runOf(subject, app.store.getState());
    if (run) act(app, run);
  };
}

/** Languages in which a request can be copied, in addition to curl. */
const SNIPPETS = [
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const;

/** Returns true if the server is reached by HTTP requests. */
function isHttp(server: ServerId, { live }: AppState): boolean {
  const transport = live.connections[server]?.transport;
  return transport === "streamable_http" || transport === "http_sse";
}

type ItemDetail = ToolDetail | PromptDetail | SkillDetail | ResourceDetail;

/** Copies a text of an item; `done` names the copied text. */
function copyOfItem(done: string, text: (detail: ItemDetail) => string): (subject: Of<"item">, app: App) => void {
  return ({ server, kind, key }, { actions, backend }) => {
    const detail: Promise<ItemDetail> = isResourceKind(kind)
      ? backend.call("resource_detail", { server, kind, key })
      : backend.call(detailCommand(kind), { server, key });
    void actions.copy(detail.then(text), done, server);
  };
}

/** Returns true while a subscription to the resource is active or pending. */
function isSubscribed({ server, key }: Of<"item">, { live }: AppState): boolean {
  const type = subscriptionTo(live, server, key)?.state.type;
  return type === "active" || type === "pending";
}

/** Subscribes to the resource, or ends the subscription, by its URI: its key differs if the list has the URI twice. */
function toggleSubscription(subject: Of<"item">, { actions, backend, store }: App): void {
  const { server, kind, key } = subject;
  const wanted = !isSubscribed(subject, store.getState());
  const toggle = async (): Promise<void> => {
    const detail = await actions.attempt(backend.call("resource_detail", { server, kind, key }), server);
    if (detail) await actions.get(operationActions).setSubscribed(server, detail.uri, wanted);
  };
  void toggle();
}

/** Adds a step that shows a tool, with the tool's title. */
function addToPresentation({ server, key }: Of<"item">, { actions, backend }: App): void {
  const add = async (): Promise<void> => {
    const detail = await actions.attempt(backend.call("tool_detail", { server, key }), server);
    if (detail) await actions.get(preparingActions).addToPresentation(server, key, itemName(detail.row));
  };
  void add();
}

/**
 * All actions of the user, in the order of the menus: the source of the palette, the keys, the list of shortcuts and
 * the context menus.
 */
export const actionTable: Table = {
  window: [
    {
      id: "palette",
      title: "Find anything",
      keys: ["Mod+K"],
      listed: false,
      run: (_, { actions }) => actions.setOverlay("palette"),
    },
    handlerRow("run_tool", "Run the tool, read the resource, or get the prompt", icons.Play, "Mod+Enter"),
    handlerRow("send_anyway", "Send the arguments despite problems", icons.Send, "Alt+Enter"),
    {
      id: "search_tools",
      title: "Search in the focused pane, or the tools, resources or prompts",
      icon: icons.Search,
      keys: ["/"],
      when: hasServer,
      run: onServer((app, server) => {
        const tab = shownUi(app.store.getState())?.tab;
        if (focusSearch(tab !== undefined && !isItemTab(tab))) return;
        showItems(app, server);
        app.actions.focusSearch(server);
      }),
    },
    {
      id: "undo",
      title: "Undo the last deletion or replacement",
      icon: icons.Undo2,
      keys: ["Mod+Z"],
      run: (_, { toasts }) => {
        if (!toasts.undoLast()) toasts.say("Nothing to undo");
      },
    },
    {
      id: "server",
      title: "Switch to server 1 to 9",
      keys: ["Mod+1…9"],
      listed: false,
      run: (_, { actions }, digit) => actions.selectServerAt(digit - 1),
    },
    ...tabs.map(tabRow),
    { id: "next_pane", title: "Go to the next pane", keys: ["F6"], listed: false, run: () => movePane(1) },
    {
      id: "previous_pane",
      title: "Go to the previous pane",
      keys: ["Shift+F6"],
      listed: false,
      run: () => movePane(-1),
    },
    {
      id: "go_servers",
      title: "Go to the servers",
      icon: icons.PanelLeft,
      keys: ["Mod+Shift+S"],
      run: (_, { actions }) => actions.focus(focusNames.pane("servers")),
    },
    paneRow("list", "Go to the tool list", "Mod+Shift+L", icons.List),
    paneRow("form", "Go to the form", "Mod+Shift+F", icons.TextCursorInput),
    paneRow("runs", "Go to the runs", "Mod+Shift+O", icons.Play),
    maximizeRow("list", "tool list", isItemTab),
    maximizeRow("form", "form", isItemTab),
    maximizeRow("runs", "runs", isItemTab),
    ...(["console", "issues", "checks", "hosts"] as const).map((pane) =>
      maximizeRow(pane, pane, (tab) => tab === pane),
    ),
    {
      id: "show_all_panes",
      title: "Show all panes",
      icon: icons.Minimize2,
      when: (_, state) => (shownUi(state)?.maximized ?? null) !== null,
      run: onServer(({ actions }, server) => actions.maximize(server, null)),
    },
    {
      id: "runs_below",
      title: (_, { live }) => `Put the runs ${live.settings.runs_below ? "beside" : "below"} the form`,
      icon: icons.Rows2,
      run: (_, { actions, store }) =>
        void actions.updateSettings({ runs_below: !store.getState().live.settings.runs_below }),
    },
    handlerRow("next_difference", "Go to the next difference", icons.ArrowDown, "F7"),
    handlerRow("previous_difference", "Go to the previous difference", icons.ArrowUp, "Shift+F7"),
    handlerRow("reset_form", "Reset the form", icons.RotateCcw),
    {
      id: "clear_runs",
      title: "Clear all finished runs (pinned ones stay)",
      words: "delete history",
      icon: icons.ListX,
      danger: true,
      when: (_, state) => clearableRuns(state).length > 0,
      run: onServer(
        ({ actions, store }, server) =>
          void actions.get(operationActions).deleteRuns(server, clearableRuns(store.getState())),
      ),
    },
    {
      id: "save_log",
      title: "Save the wire log to a file",
      words: "export frames",
      icon: icons.Download,
      when: hasServer,
      run: onServer(({ actions }, server) => void actions.get(wireActions).saveLog(server)),
    },
    {
      id: "clear_log",
      title: "Clear the wire log",
      words: "delete empty",
      icon: icons.Trash2,
      danger: true,
      when: hasServer,
      run: onServer(({ actions }, server) => void actions.get(wireActions).clearLog(server)),
    },
    ...checkingRows,
    panelRow({ type: "add_server" }, "add_server", "Add a server", icons.Plus),
    giveRow,
    panelRow({ type: "import", text: "" }, "import", "Import servers", icons.ClipboardPaste),
    ...presentingRows,
    {
      id: "new_group",
      title: "Add a group of servers",
      icon: icons.FolderPlus,
      run: (_, { actions }) => void actions.addServerGroup([]),
    },
    ...(["system", "light", "dark"] as const).map((theme): Row<TheWindow> => ({
      id: `theme_${theme}`,
      title: theme === "system" ? "Use the theme of the system" : `Use the ${theme} theme`,
      icon: icons.Contrast,
      when: (_, { live }) => live.settings.theme !== theme,
      run: (_, { actions }) => void actions.updateSettings({ theme }),
    })),
    zoomRow("zoom_in", "Zoom in", "Mod+Plus", icons.ZoomIn, 1),
    zoomRow("zoom_out", "Zoom out", "Mod+Minus", icons.ZoomOut, -1),
    zoomRow("zoom_reset", "Reset the zoom", "Mod+0", icons.RotateCcw, 0),
    {
      id: "full_screen",
      title: "Full screen on or off",
      words: "fullscreen whole monitor projector",
      icon: icons.Fullscreen,
      keys: ["F11"],
      always: true,
      run: (_, { actions }) => actions.get(presentationActions).toggleFullScreen(),
    },
    ...(["small", "medium", "large"] as const).map((size): Row<TheWindow> => ({
      id: `text_${size}`,
      title: `Use ${size} text`,
      icon: icons.ALargeSmall,
      when: (_, { live }) => live.settings.text_size !== size,
      run: (_, { actions }) => void actions.updateSettings({ text_size: size }),
    })),
    panelRow({ type: "settings" }, "settings", "Settings", icons.Settings, "Mod+,"),
    {
      id: "shortcuts",
      title: "Keyboard shortcuts",
      icon: icons.Keyboard,
      keys: ["?"],
      run: (_, { actions }) => actions.setOverlay("shortcuts"),
    },
    {
      id: "help",
      title: "Help",
      icon: icons.CircleQuestionMark,
      keys: ["F1"],
      when: (_, { view }) => view.panel?.type !== "help",
      run: (_, { actions }) => actions.openHelp(),
    },
    {
      id: "close_panel",
      title: "Close the panel",
      icon: icons.X,
      keys: ["Escape"],
      when: (_, { view }) => view.panel !== null,
      run: (_, { actions }) => actions.closePanel(),
    },
  ],
  giving: givingRows,
  server: [
    {
      id: "connect",
      title: ({ server }, state) => (phase(state, server) === "failed" ? "Reconnect" : "Connect"),
      icon: icons.Plug,
      when: ({ server }, state) => !isOpen(state, server),
      enabled: ({ server }, state) => phase(state, server) !== "closing",
      run: ({ server }, { actions }) => void actions.connect(server),
    },
    {
      id: "restart",
      title: ({ server }, { live }) => {
        const transport = live.servers[server]?.config.transport;
        return transport?.type === "http" ? "Reconnect" : "Restart";
      },
      icon: icons.RotateCw,
      when: ({ server }, state) => phase(state, server) === "ready",
      run: ({ server }, { actions }) => void actions.reconnect(server),
    },
    {
      id: "disconnect",
      title: "Disconnect",
      icon: icons.Unplug,
      when: ({ server }, state) => isOpen(state, server),
      run: ({ server }, { actions }) => void actions.command("disconnect", { server }),
    },
    {
      id: "diagnose",
      title: "Diagnose connection",
      icon: icons.ListChecks,
      run: ({ server }, { actions }) => void actions.diagnose(server),
    },
    {
      id: "refresh_tools",
      title: "Refresh tools",
      icon: icons.RefreshCw,
      enabled: ({ server }, state) => phase(state, server) === "ready",
      run: ({ server }, { actions }) => void actions.command("refresh_catalog", { server, kind: "tools" }),
    },
    refreshRow("resources", "Refresh resources"),
    refreshRow("prompts", "Refresh prompts"),
    refreshRow("skills", "Refresh skills"),
    "separator",
    {
      id: "edit_server",
      title: "Edit",
      icon: icons.Pencil,
      run: ({ server }, { actions }) => actions.openPanel({ type: "edit_server", server }),
    },
    {
      id: "show_beside",
      title: "Show beside the selected server",
      icon: icons.Columns2,
      when: ({ server }, { view }) => view.beside?.server !== server,
      enabled: ({ server }, { view }) => view.server !== null && view.server !== server,
      run: ({ server }, { actions }) => actions.showBeside(server),
    },
    {
      id: "close_side",
      title: "Close at this side",
      icon: icons.X,
      when: ({ server }, { view }) => view.beside !== null && [view.server, view.beside.server].includes(server),
      run: ({ server }, { actions }) => actions.closeSide(server),
    },
    {
      id: "duplicate_server",
      title: "Duplicate",
      icon: icons.Copy,
      run: ({ server }, { actions }) => void actions.duplicateServer(server),
    },
    {
      id: "export_server",
      title: "Copy as configuration",
      icon: icons.FileBraces,
      when: ({ server }, { live }) => live.servers[server]?.config.transport.type !== "demo",
      run: ({ server }, { actions }) => actions.openPanel({ type: "export", server }),
    },
    "separator",
    ...moveRows<Of<"server">>(
      "move",
      ({ server }, { live }, by) => placeBeside(live, server, by) !== null,
      ({ server }, { actions }, by) => void actions.moveServer(server, by),
    ),
    "separator",
    {
      id: "group_server",
      title: "New group with this server",
      icon: icons.FolderPlus,
      run: ({ server }, { actions }) => void actions.addServerGroup([server]),
    },
    {
      id: "ungroup_server",
      title: "Remove from its group",
      icon: icons.FolderMinus,
      when: ({ server }, { live }) => placeOf(live, server).group !== null,
      run: ({ server }, { actions, store }) => {
        const [free] = sectionsOf(store.getState().live);
        void actions.placeServer(server, { group: null, index: free?.servers.length ?? 0 });
      },
    },
    "separator",
    removeRow("remove_server", "Remove", ({ server }, { actions }) => void actions.removeServer(server)),
  ],
  group: [
    {
      id: "collapse_group",
      title: ({ group }, { live }) => (live.groups.find(({ id }) => id === group)?.collapsed ? "Expand" : "Collapse"),
      icon: icons.ChevronsDownUp,
      run: ({ group }, { actions, store }) => {
        const known = store.getState().live.groups.find(({ id }) => id === group);
        void actions.collapseServerGroup(group, known?.collapsed === false);
      },
    },
    {
      id: "rename_group",
      title: "Rename",
      icon: icons.Pencil,
      run: ({ group }, { actions }) => actions.editServerGroup(group),
    },
    ...moveRows<Of<"group">>(
      "group",
      ({ group }, { live: { groups } }, by) =>
        hasBeside([groups.findIndex(({ id }) => id === group), groups.length], by),
      ({ group }, { actions }, by) => void actions.moveServerGroup(group, by),
    ),
    "separator",
    removeRow("remove_group", "Remove the group", ({ group }, { actions }) => void actions.removeServerGroup(group)),
  ],
  item: [
    {
      id: "open_item",
      title: ({ kind }) => (kind === "tools" || kind === "prompts" ? "Open the form" : "Open"),
      icon: icons.TextCursorInput,
      run: ({ server, kind, key }, { actions }) => actions.get(catalogActions).openItem(server, kind, key),
    },
    {
      id: "copy_name",
      title: "Copy name",
      icon: icons.Copy,
      when: ({ kind }) => !isResourceKind(kind),
      run: copyOfItem("Name copied", ({ row }) => row.name),
    },
    {
      id: "subscribe_resource",
      title: (subject, state) => (isSubscribed(subject, state) ? "Unsubscribe" : "Subscribe"),
      words: "updates notify resource subscription",
      icon: icons.Bell,
      when: ({ server, kind }, { live }) => kind === "resources" && live.subscriptions[server]?.supported === true,
      enabled: (subject, state) => phase(state, subject.server) === "ready" || isSubscribed(subject, state),
      run: toggleSubscription,
    },
    {
      id: "copy_uri",
      title: "Copy URI",
      icon: icons.Copy,
      when: ({ kind }) => isResourceKind(kind),
      run: copyOfItem("URI copied", (detail) => ("uri" in detail ? (detail.uri ?? "") : "")),
    },
    {
      id: "copy_definition",
      title: ({ kind }) => (isResourceKind(kind) ? "Copy definition" : `Copy ${SELECTED[kind]} definition`),
      icon: icons.Braces,
      run: copyOfItem("Definition copied", ({ raw }) => prettyJson(raw)),
    },
    "separator",
    {
      id: "add_to_presentation",
      title: (_, state) => (presentationsOf(state).length > 1 ? "Add to presentation…" : "Add to presentation"),
      icon: icons.Presentation,
      when: ({ kind }) => kind === "tools",
      run: addToPresentation,
    },
  ],
  run: [
    {
      id: "cancel_run",
      title: "Cancel",
      icon: icons.SquareStop,
      keysThere: "Esc",
      when: (subject, state) => runOf(subject, state)?.state !== "finished",
      enabled: (subject, state) => isStoppable(runOf(subject, state)?.state),
      run: ({ operation }, { actions }) => void actions.command("cancel_operation", { operation }),
    },
    {
      id: "run_again",
      title: (subject, state) => (isReading(runOf(subject, state)) ? "Read again" : "Run again"),
      icon: icons.RotateCw,
      enabled: ifRun((run, state) => notAgain(run) === null && phase(state, run.server) === "ready"),
      run: withRun(runAgain),
    },
    {
      id: "edit_arguments",
      title: "Edit arguments",
      icon: icons.Pencil,
      when: (subject, state) => !isReading(runOf(subject, state)),
      enabled: ifRun((run) => formTargetOf(run) !== null || isByHand(run)),
      run: withRun(editArguments),
    },
    {
      id: "save_run_input",
      title: "Save its values as an input…",
      icon: icons.BookmarkPlus,
      // Only tools have saved inputs.
      when: (subject, state) => runOf(subject, state)?.method === TOOLS_CALL,
      // Values with redacted secrets would not be those of the run.
      enabled: ifRun((run) => run.key !== null && run.earlier?.arguments_redacted !== true),
      run: withRun((app, run) => void saveArguments(app, run)),
    },
    {
      id: "maximize_run",
      title: "Open full size",
      icon: icons.Maximize2,
      when: (subject, { view, live }) =>
        view.perServer[live.operations[subject.operation]?.server ?? ""]?.maximized !== "run",
      run: withRun(({ actions }, { server, operation }) => {
        actions.get(operationActions).showOperation(operation);
        actions.maximize(server, "run");
      }),
    },
    "separator",
    {
      id: "pin_run",
      title: (subject, state) => (runOf(subject, state)?.label.pinned === true ? "Unpin" : "Pin"),
      icon: icons.Pin,
      run: withRun(
        ({ actions }, { operation, label }) =>
          void actions.get(operationActions).labelRun(operation, { pinned: !label.pinned }),
      ),
    },
    {
      id: "label_run",
      title: "Name and note…",
      icon: icons.Tag,
      run: withRun(({ actions }, { server, operation }) => actions.get(operationActions).editLabel(server, operation)),
    },
    "separator",
    {
      id: "compare_previous",
      title: (subject, state) =>
        isReading(runOf(subject, state))
          ? "Compare with the previous reading"
          : `Compare with the previous run of this ${runOf(subject, state)?.method === PROMPTS_GET ? "prompt" : "tool"}`,
      icon: icons.GitCompare,
      enabled: (subject, state) => previousRun(runOf(subject, state), state) !== null,
      run: (subject, { actions, store }) => {
        const previous = previousRun(runOf(subject, store.getState()), store.getState());
        if (previous !== null) actions.openPanel({ type: "compare", first: previous, second: subject.operation });
      },
    },
    {
      id: "compare_with",
      title: "Compare with…",
      icon: icons.GitCompare,
      enabled: (subject, state) => runOf(subject, state)?.state === "finished",
      run: ({ operation }, { actions }) => actions.openPanel({ type: "compare", first: operation, second: null }),
    },
    keepCheckRow,
    "separator",
    {
      id: "show_frames",
      title: "Show in wire log",
      icon: icons.Waypoints,
      enabled: (subject, state) => runOf(subject, state)?.earlier === null,
      run: ({ operation }, { actions }) => actions.get(wireActions).showOperationFrames(operation),
    },
    {
      id: "copy_result",
      title: "Copy result",
      icon: icons.FileText,
      enabled: ifRun(hasCopyableResult),
      run: withRun(copyResult),
    },
    {
      id: "copy_arguments",
      title: "Copy arguments",
      icon: icons.Forward,
      enabled: (subject, state) => (runOf(subject, state)?.arguments ?? null) !== null,
      run: withRun(copyArguments),
    },
    {
      id: "copy_run_curl",
      title: "Copy as curl",
      icon: icons.Terminal,
      when: ifRun((run, state) => run.request_seq !== null && isHttp(run.server, state)),
      run: withRun(({ actions, backend }, { server, request_seq: seq }) => {
        if (seq !== null) void actions.copy(backend.call("log_curl", { server, seq }), "curl command copied", server);
      }),
    },
    ...SNIPPETS.map(([language, name]): Row<Of<"run">> => ({
      id: `copy_run_${language}`,
      title: `Copy as ${name}`,
      icon: icons.CodeXml,
      run: withRun((app, run) => copyRunAs(language, app, run)),
    })),
    "separator",
    {
      id: "delete_run",
      title: "Delete",
      icon: icons.Trash2,
      danger: true,
      enabled: (subject, state) => runOf(subject, state)?.state === "finished",
      run: withRun(
        ({ actions }, { server, operation }) => void actions.get(operationActions).deleteRuns(server, [operation]),
      ),
    },
  ],
  check: checkRows,
  input: inputRows,
  presentation: presentationRows,
  step: stepRows,
  entry: [
    {
      id: "show_entry",
      title: "Show details",
      icon: icons.Info,
      run: ({ server, seq }, { actions }) => actions.get(wireActions).showLogEntry(server, seq),
    },
    {
      id: "maximize_entry",
      title: "Open full size",
      icon: icons.Maximize2,
      run: ({ server, seq }, { actions }) => {
        actions.get(wireActions).showLogEntry(server, seq);
        actions.maximize(server, "wire_entry");
      },
    },
    {
      id: "show_partner",
      title: ({ kind }) => (kind === "request" ? "Go to response" : "Go to request"),
      icon: icons.ArrowLeftRight,
      keysThere: "J",
      when: ({ partner }) => partner !== null,
      run: ({ server, partner }, { actions }) =>
        partner !== null && actions.get(wireActions).showLogEntry(server, partner),
    },
    {
      id: "show_run",
      title: "Go to run",
      icon: icons.CornerUpLeft,
      when: ({ operation }) => operation !== null,
      enabled: ({ operation }, { live }) => operation !== null && operation in live.operations,
      run: ({ operation }, { actions }) => operation !== null && actions.get(operationActions).showOperation(operation),
    },
    {
      id: "show_only_run",
      title: "Show only this run",
      icon: icons.ListFilter,
      when: ({ operation }) => operation !== null,
      run: ({ server, seq, operation }, { actions }) =>
        actions.get(wireActions).showLogEntry(server, seq, { operation }),
    },
    "separator",
    {
      id: "copy_entry",
      title: "Copy the message",
      icon: icons.Copy,
      when: ({ has_body }) => has_body,
      run: ({ server, seq, bytes }, { actions, backend }) =>
        void actions.copy(wholeText(backend, { type: "log_entry", server, seq }, bytes), "Message copied", server),
    },
    {
      id: "copy_curl",
      title: "Copy as curl",
      icon: icons.Terminal,
      when: ({ server, kind, out }, state) => out && (kind === "http" || (kind === "request" && isHttp(server, state))),
      run: ({ server, seq }, { actions, backend }) =>
        void actions.copy(backend.call("log_curl", { server, seq }), "curl command copied", server),
    },
    ...SNIPPETS.map(([language, name]): Row<Of<"entry">> => ({
      id: `copy_${language}`,
      title: `Copy as ${name}`,
      icon: icons.CodeXml,
      when: ({ kind, out }) => kind === "request" && out,
      run: ({ server, seq }, app) => copyEntryAs(language, app, server, seq),
    })),
  ],
};

/** Keys of lists, forms and cards, which handle them themselves. */
export const localKeys: readonly { readonly title: string; readonly keys: readonly string[] }[] = [
  markedKey,
  { title: "Send the response to a server request", keys: ["Mod+Enter"] },
  { title: "In a form: undo a reset or a replacement", keys: ["Mod+Z"] },
  { title: "Go to the latest Undo message", keys: ["F6"] },
  { title: "Search in the wire log, the console, the issues, the checks, the hosts or a result", keys: ["Mod+F"] },
  { title: "In the wire log: go from a request to its response and back", keys: ["J"] },
  { title: "In the wire log: open and close a group of entries", keys: ["Right", "Left"] },
  { title: "In the checks: turn the selected one on or off", keys: ["Space"] },
  { title: "In the checks: stop the run", keys: ["Escape"] },
  { title: "Move within a list", keys: ["Arrows", "Home", "End", "Page Up", "Page Down"] },
  { title: "Open the selected item of a list", keys: ["Enter"] },
  { title: "In the head of a table: make the column wider or narrower", keys: ["Shift+Right", "Shift+Left"] },
  { title: "In the hosts: go from cell to cell, and show its details", keys: ["Arrows"] },
  { title: "Close a menu, a dialog or a log entry", keys: ["Escape"] },
];
