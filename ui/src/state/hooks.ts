import { createContext, useContext, useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";

import type { Backend } from "../ipc/backend";
import type {
  OperationNumber,
  OperationView,
  CatalogKind,
  CatalogView,
  IssueCounts,
  HealthProblem,
  ServerId,
  ResourceSubscription,
} from "../ipc/bindings";
import { useMedia } from "../lib/useMedia";
import type { Actions } from "./actions";
import type { App, HandlerName } from "./app";
import { issuesOf } from "./issues";
import type { AppState } from "./store";
import { healthOf, subscriptionTo, type LiveState } from "./live";
import { runsOf } from "./serverRequests";
import { itemsSlice, SELECTED, type ResourceChoice, type SelectedKind } from "./slices/items";
import { sliceOf, type Slice } from "./slices/slice";
import { draftKey, initialServerUi, type Draft, type FormTarget, type ServerUi } from "./view";

export const AppContext = createContext<App | null>(null);

/** Returns the whole app, for the table of actions. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("no app above this component");
  return app;
}

/** Returns the backend, for commands whose result only one component needs. Changes of state go through the actions. */
export function useBackend(): Backend {
  return useApp().backend;
}

export function useActions(): Actions {
  return useApp().actions;
}

/** Handles an action of the window while the component is mounted and `on` is set. */
export function useHandler(name: HandlerName, handle: () => void, on = true): void {
  const { handlers } = useApp();
  const handleNow = useEffectEvent(handle);
  useEffect(() => {
    if (!on) return undefined;
    const handler = (): void => handleNow();
    handlers.set(name, handler);
    return () => {
      // Another form may have registered its handler already.
      if (handlers.get(name) === handler) handlers.delete(name);
    };
  }, [handlers, name, on]);
}

/** Returns a function that reads the present state, for event handlers; reading it does not subscribe. */
export function useReadState(): () => AppState {
  return useApp().store.getState;
}

/**
 * Returns a part of the state. The component renders again only when the selected part is another object or value;
 * select parts that exist in the state, do not build new ones (use {@link useParts}).
 */
export function useAppState<T>(select: (state: AppState) => T): T {
  return useStore(useApp().store, select);
}

/** Like {@link useAppState} for an array or object of parts, compared member by member. */
export function useParts<T>(select: (state: AppState) => T): T {
  return useStore(useApp().store, useShallow(select));
}

// ---- state of the host --------------------------------------------------------------------------

/** Makes a hook that reads one part of a server's state. */
function ofServer<T>(part: (live: LiveState) => Readonly<Record<ServerId, T>>) {
  return function useOfServer(server: ServerId): T | undefined {
    return useAppState(({ live }) => part(live)[server]);
  };
}

export const useServer = ofServer(({ servers }) => servers);

export const useSession = ofServer(({ sessions }) => sessions);

/** True if the server is connected and can run tools. */
export function useIsReady(server: ServerId): boolean {
  return useAppState((state) => state.live.sessions[server]?.phase === "ready");
}

/** Returns the health problem of an open connection; `null` if there is no problem, or no open connection. */
export function useHealth(server: ServerId): HealthProblem | null {
  return useParts((state) => healthOf(state.live, server));
}

/** Counts the issues of a server. */
export function useIssueCounts(server: ServerId): IssueCounts {
  return useParts((state) => issuesOf(state.live, server));
}

/** Returns the ids of the rules that are muted for a server. */
export function useMutedRules(server: ServerId): readonly string[] {
  return useParts((state) => issuesOf(state.live, server).muted_rules);
}

/** Returns a list of a server; undefined if the server was never connected. */
export function useCatalog(server: ServerId, kind: CatalogKind): CatalogView | undefined {
  return useAppState((state) => state.live.catalogs[server]?.[kind]);
}

/** Returns the checks of a server; `undefined` until they were opened. */
export const useChecks = ofServer(({ checks }) => checks);

/** Returns the server's support for resource subscriptions, and the subscription to this URI. */
export function useResourceSubscription(
  server: ServerId,
  uri: string,
): { readonly supported: boolean; readonly subscription: ResourceSubscription | undefined } {
  const supported = useAppState(({ live }) => live.subscriptions[server]?.supported ?? false);
  const subscription = useAppState(({ live }) => subscriptionTo(live, server, uri));
  return { supported, subscription };
}

/** Returns the key of the selected item of a list; initially that of the first item. */
export function useSelectedItem(server: ServerId, kind: SelectedKind): string | null {
  const chosen = useSliceValue(server, itemsSlice, (items) => items[SELECTED[kind]]);
  const first = useAppState((state) => state.live.catalogs[server]?.[kind]?.first ?? null);
  return chosen ?? first;
}

/** Returns the choice on the Resources tab: the user's, or the first item of the visible list. */
export function useShownResource(server: ServerId): ResourceChoice | null {
  const kind = useSliceValue(server, itemsSlice, (items) => items.resourceKind);
  const chosen = useSliceValue(server, itemsSlice, (items) => items.resource);
  const first = useAppState((state) => state.live.catalogs[server]?.[kind]?.first ?? null);
  return useMemo(() => chosen ?? (first === null ? null : { type: "item", kind, key: first }), [chosen, first, kind]);
}

/**
 * Requests lists that are shown for the first time since the server was connected, or whose cached copy has expired.
 */
export function useOpenCatalogs(server: ServerId, kinds: readonly CatalogKind[]): void {
  const backend = useBackend();
  const ready = useIsReady(server);
  const generation = useAppState((state) => state.live.sessions[server]?.generation ?? 0);
  useEffect(() => {
    if (!ready) return;
    // Problems of a list are shown with the list; any other failure means that the connection is gone.
    for (const kind of kinds) backend.call("open_catalog", { server, kind }).catch(() => undefined);
  }, [backend, server, kinds, ready, generation]);
}

export const useConnection = ofServer(({ connections }) => connections);

/** Returns the sign-in state of a server; undefined if it never mattered. */
export const useAuth = ofServer(({ auth }) => auth);

const noServerRequests: readonly number[] = [];

/**
 * Returns the open server requests that came, or may have come, during an operation, oldest first; with `null`, those
 * that belong to no operation.
 */
export function useServerRequestsOf(server: ServerId, operation: OperationNumber | null): readonly number[] {
  return useParts((state) =>
    (state.live.serverRequestOrder[server] ?? noServerRequests).filter((number) => {
      const runs = runsOf(state.live.serverRequests[number], state.live.operations);
      return operation === null ? runs.length === 0 : runs.includes(operation);
    }),
  );
}

const noOperations: readonly OperationNumber[] = [];

/**
 * Returns the operations of a server, newest first. The array stays the same while operations only change their
 * content.
 */
export function useOperationOrder(server: ServerId): readonly OperationNumber[] {
  return useAppState((state) => state.live.operationOrder[server] ?? noOperations);
}

export function useOperation(operation: OperationNumber | null): OperationView | undefined {
  return useAppState((state) => (operation === null ? undefined : state.live.operations[operation]));
}

// ---- state of the window -------------------------------------------------------------------------

export function useServerUi<T>(server: ServerId, select: (ui: ServerUi) => T): T {
  return useAppState((state) => select(state.view.perServer[server] ?? initialServerUi));
}

/** Returns the state of a feature, and the function that changes it. */
export function useSlice<T extends object>(
  server: ServerId,
  slice: Slice<T>,
): readonly [T, (change: Partial<T>) => void] {
  const { setSlice } = useActions();
  return [useSliceValue(server, slice, whole), (change) => setSlice(server, slice, change)];
}

const whole = <T>(state: T): T => state;

/** Returns a part of the state of a feature. */
export function useSliceValue<T extends object, V>(server: ServerId, slice: Slice<T>, select: (state: T) => V): V {
  return useServerUi(server, (ui) => select(sliceOf(ui, slice)));
}

export function useSelectedServer(): ServerId | null {
  return useAppState((state) => state.view.server);
}

export function useDraft(server: ServerId, tool: FormTarget | null): Draft | undefined {
  return useAppState((state) => (tool === null ? undefined : state.view.drafts[draftKey(server, tool)]));
}

/** True while the window is dark, by its setting or by the system's. */
export function useIsDark(): boolean {
  const theme = useAppState(({ live }) => live.settings.theme);
  const systemIsDark = useMedia("(prefers-color-scheme: dark)");
  return theme === "dark" || (theme !== "light" && systemIsDark);
}
