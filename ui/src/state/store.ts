import { createStore, type StoreApi } from "zustand/vanilla";

import type { BackendError } from "../ipc/backend";
import type { Batch, ServerId } from "../ipc/bindings";
import { initialLive, reduce, type LiveState } from "./live";
import { itemsSlice } from "./slices/items";
import { withSlice } from "./slices/slice";
import { unsavedOf } from "./typedPresentations";
import {
  initialServerUi,
  initialView,
  tabs,
  type Panel,
  type ServerUi,
  type ViewState,
  withNextQuestion,
} from "./view";

/** All state of the window: state reported by the host, and state of the window itself. */
export interface AppState {
  readonly live: LiveState;
  readonly view: ViewState;
  /** Failure of opening the channel to the host. */
  readonly channelError: BackendError | null;
}

export type Store = StoreApi<AppState>;

export function createAppStore(): Store {
  return createStore<AppState>(() => ({
    live: initialLive,
    view: initialView,
    channelError: null,
  }));
}

/** Applies a batch. Throws `Gap` and changes nothing if the previous batch is missing. */
export function applyBatch(store: Store, batch: Batch): void {
  const { live, view } = store.getState();
  const next = reduce(live, batch);
  store.setState({ live: next, view: follow(view, live, next), channelError: null });
}

/** Keeps the selection on existing things, and the replies to open requests only. */
function follow(view: ViewState, before: LiveState, live: LiveState): ViewState {
  const known =
    before.ready || view.serverFilter !== "" ? view : { ...view, serverFilter: live.settings.server_filter };
  const steps = [followServerRequests, followPresentations, followPanel, followServer, followBeside];
  return steps.reduce((next, step) => step(next, before, live), known);
}

/** Closes a panel about a removed server, and drops the question about its command. */
function followPanel(view: ViewState, before: LiveState, live: LiveState): ViewState {
  if (before.servers === live.servers) return view;
  const isRemoved = (server: ServerId): boolean => server in before.servers && !(server in live.servers);
  const panel = view.panel !== null && serversOf(view.panel).some(isRemoved) ? null : view.panel;
  const commandQueue = view.commandQueue.filter((server) => !isRemoved(server));
  if (panel === view.panel && commandQueue.length === view.commandQueue.length) return view;
  return withNextQuestion({ ...view, panel, commandQueue }, view.panel);
}

/** Returns the servers that a panel is about. */
function serversOf(panel: Panel): readonly ServerId[] {
  if (panel.type === "compare_lists") return [panel.left.server, panel.right.server];
  return "server" in panel ? [panel.server] : [];
}

/** Drops the edits of presentations that the host has confirmed. */
function followPresentations(view: ViewState, before: LiveState, live: LiveState): ViewState {
  if (before.presentations === live.presentations) return view;
  return { ...view, presentations: unsavedOf(view.presentations, live) };
}

/** Keeps the second server side by side, unless it was removed or is now the selected one. Restores it at the start. */
function followBeside(view: ViewState, before: LiveState, live: LiveState): ViewState {
  const beside =
    view.beside ??
    (before.ready || live.settings.beside === null ? null : { server: live.settings.beside, left: false });
  const stays = beside !== null && beside.server in live.servers && beside.server !== view.server;
  const next = stays ? beside : null;
  return next === view.beside ? view : { ...view, beside: next };
}

/** Restores the tab and the tool of each server from the settings. */
function remembered({ settings, servers }: LiveState): Record<string, ServerUi> {
  return Object.fromEntries(
    Object.entries(settings.views).flatMap(([server, { tab, tool }]) => {
      const known = tabs.find((each) => each === tab);
      return known && server in servers
        ? [[server, { ...initialServerUi, tab: known, slices: withSlice(initialServerUi, itemsSlice, { tool }) }]]
        : [];
    }),
  );
}

function followServerRequests(view: ViewState, before: LiveState, live: LiveState): ViewState {
  if (before.serverRequests === live.serverRequests) return view;
  const kept = Object.entries(view.answers).filter(([request]) => Number(request) in live.serverRequests);
  if (kept.length === Object.keys(view.answers).length) return view;
  return { ...view, answers: Object.fromEntries(kept) };
}

function followServer(view: ViewState, before: LiveState, live: LiveState): ViewState {
  const selected = view.server;
  if (selected !== null && selected in live.servers) return view;
  // A server that was just added is selected before the event about it arrives.
  if (selected !== null && before.ready && !(selected in before.servers)) return view;
  // The remaining side replaces a removed one.
  const next = before.ready ? (view.beside?.server ?? null) : live.settings.selected_server;
  const server = next !== null && next in live.servers ? next : neighbour(selected, before, live);
  const perServer = before.ready ? view.perServer : { ...remembered(live), ...view.perServer };
  return server === selected && before.ready ? view : { ...view, server, perServer };
}

/** Returns the server at the position of a removed one. */
function neighbour(gone: string | null, before: LiveState, live: LiveState): string | null {
  const place = gone === null ? 0 : Math.max(0, before.order.indexOf(gone));
  return live.order[Math.min(place, live.order.length - 1)] ?? null;
}
