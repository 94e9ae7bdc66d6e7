import { createStore, type StoreApi } from "zustand/vanilla";

import type { BackendError } from "../ipc/backend";
import type { Batch } from "../ipc/bindings";
import { initialLive, reduce, type LiveState } from "./live";
import { initialView, type ViewState } from "./view";

/** All state of the window: what the host said, and what belongs to the window alone. */
export interface AppState {
  readonly live: LiveState;
  readonly view: ViewState;
  /** Why the channel to the host could not be opened. */
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

/** Applies a batch. Throws `Gap` and changes nothing when one before it is missing. */
export function applyBatch(store: Store, batch: Batch): void {
  const { live, view } = store.getState();
  const next = reduce(live, batch);
  store.setState({ live: next, view: follow(view, live, next), channelError: null });
}

/** Keeps the selection on something that exists, and the answers to what is still asked. */
function follow(view: ViewState, before: LiveState, live: LiveState): ViewState {
  return followServer(followServerRequests(view, before, live), before, live);
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
  // A server that was added just now is selected before the event about it arrives.
  if (selected !== null && before.ready && !(selected in before.servers)) return view;
  const remembered = before.ready ? null : live.settings.selected_server;
  const server = remembered !== null && remembered in live.servers ? remembered : neighbour(selected, before, live);
  return server === selected ? view : { ...view, server };
}

/** The server that took the place of a removed one. */
function neighbour(gone: string | null, before: LiveState, live: LiveState): string | null {
  const place = gone === null ? 0 : Math.max(0, before.order.indexOf(gone));
  return live.order[Math.min(place, live.order.length - 1)] ?? null;
}
