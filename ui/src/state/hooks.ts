import { createContext, useContext, useEffect, useEffectEvent, useMemo, useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";

import { toBackendError, type Backend, type BackendError } from "../ipc/backend";
import type {
  OperationNumber,
  OperationView,
  PromptDetail,
  SavedInput,
  CatalogKind,
  CatalogView,
  IssueCounts,
  HealthProblem,
  ServerId,
  FindingView,
  ResourceSubscription,
  ToolDetail,
} from "../ipc/bindings";
import { whileWanted } from "../lib/whileWanted";
import type { Actions } from "./actions";
import type { App, HandlerName } from "./app";
import type { AppState } from "./store";
import { issuesOf } from "./issues";
import { healthOf, subscriptionTo, type LiveState } from "./live";
import { inputsOf } from "./savedInputs";
import { runsOf } from "./serverRequests";
import { issuesSlice } from "./slices/issues";
import { detailCommand, itemsSlice, SELECTED, type ResourceChoice, type SelectedKind } from "./slices/items";
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

/** Revision numbers that distinguish views of an operation. */
const revisions = new WeakMap<OperationView, number>();
let lastRevision = 0;

function revisionOf(operation: OperationView): number {
  const revision = revisions.get(operation) ?? ++lastRevision;
  revisions.set(operation, revision);
  return revision;
}

/**
 * Reads a whole run, as the window holds only the beginning of a long one: when a component needs it, when the run
 * ends, and with each change after that.
 */
export function useWholeOperation(operation: OperationView): Fetched<OperationView> {
  const { operation: number, cut, state } = operation;
  const key = !cut ? "" : state === "finished" ? `${revisionOf(operation)}` : `running ${operation.asked}`;
  const fetched = useFetched(`${number}`, key, async (backend) =>
    cut ? backend.call("operation", { operation: number }) : operation,
  );
  return cut ? fetched : { state: "done", value: operation };
}

/** Returns the saved inputs of a target, which is a tool by default, in order. */
export function useSavedInputs(server: ServerId, target: string, method?: string): readonly SavedInput[] {
  return useParts((state) => inputsOf(state.live, server, target, method));
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

/** Number of mounted components by the key of the subject that they show. */
const placesShown = new Map<string, number>();

/**
 * Returns the place of an issue in its subject, as a JSON Pointer, after the user followed the issue there. The place
 * is forgotten once no component shows the subject.
 */
export function useIssuePlace(server: ServerId, subject: string): string | null {
  const actions = useActions();
  useEffect(() => {
    const key = `${server} ${subject}`;
    placesShown.set(key, (placesShown.get(key) ?? 0) + 1);
    return () => {
      placesShown.set(key, (placesShown.get(key) ?? 0) - 1);
      // A component that is only replaced is mounted again by then.
      queueMicrotask(() => {
        if ((placesShown.get(key) ?? 0) > 0) return;
        placesShown.delete(key);
        actions.leaveIssuePlace(server, subject);
      });
    };
  }, [actions, server, subject]);
  return useSliceValue(server, issuesSlice, ({ place }) => (place?.subject === subject ? place.pointer : null));
}

export function useSelectedServer(): ServerId | null {
  return useAppState((state) => state.view.server);
}

export function useDraft(server: ServerId, tool: FormTarget | null): Draft | undefined {
  return useAppState((state) => (tool === null ? undefined : state.view.drafts[draftKey(server, tool)]));
}

// ---- queries ---------------------------------------------------------------------------------------

export type Fetched<T> =
  | { readonly state: "loading"; readonly value?: undefined }
  | { readonly state: "done"; readonly value: T }
  | { readonly state: "failed"; readonly error: BackendError; readonly value?: undefined };

/**
 * Runs a query when the component appears and whenever `key` changes. While a newer result is pending, the older one of
 * the same `subject` stays, so that nothing flickers; another subject starts empty. Overtaken results are ignored.
 */
export function useFetched<T>(subject: string, key: string, load: (backend: Backend) => Promise<T>): Fetched<T> {
  const backend = useBackend();
  const [kept, setKept] = useState<{ subject: string; fetched: Fetched<T> }>({
    subject,
    fetched: { state: "loading" },
  });
  // `load` is a new function with every render; `key` tells when its meaning changes.
  const loadNow = useEffectEvent(load);
  useEffect(
    () =>
      whileWanted(
        loadNow(backend),
        (value) => setKept({ subject, fetched: { state: "done", value } }),
        (thrown) => setKept({ subject, fetched: { state: "failed", error: toBackendError(thrown) } }),
      ),
    [backend, subject, key],
  );
  return kept.subject === subject ? kept.fetched : { state: "loading" };
}

/** Reads the details of an item, again after every reading of its list. */
export function useItem<T>(
  server: ServerId,
  kind: CatalogKind,
  key: string,
  read: (backend: Backend) => Promise<T>,
): Fetched<T> {
  const revision = useAppState((state) => state.live.catalogs[server]?.[kind]?.revision ?? 0);
  return useFetched(`${server}\n${kind}\n${key}`, `${revision}`, read);
}

/** Reads the details of a tool, prompt or skill. */
export function useItemDetail<K extends SelectedKind>(server: ServerId, kind: K, key: string) {
  return useItem(server, kind, key, (backend) => backend.call(detailCommand(kind), { server, key }));
}

/**
 * Returns a text that changes whenever the tools of a server may be judged differently although its list is the same:
 * by the server's name, by its neighbours, and by muted rules or accepted definitions.
 */
export function useToolJudgement(server: ServerId): string {
  const name = useServer(server)?.config.name ?? "";
  const { tools, infos, muted } = useIssueCounts(server);
  return `${name} ${tools} ${infos} ${muted}`;
}

/**
 * Reads the findings about a tool beyond the protocol, including those about similar tools and about changes since it
 * was accepted.
 */
export function useToolLint(server: ServerId, tool: string): Fetched<FindingView[]> {
  const revision = useAppState((state) => state.live.catalogs[server]?.tools?.revision ?? 0);
  const judgement = useToolJudgement(server);
  return useFetched(`${server}\n${tool}`, `${revision} ${judgement}`, (backend) =>
    backend.call("tool_lint", { server, key: tool }),
  );
}

/** Returns the tool or prompt of a run as it is in the list now. */
export function useItemOfRun({ server, method, key }: OperationView): Fetched<ToolDetail | PromptDetail> {
  return useItemDetail(server, method === "prompts/get" ? "prompts" : "tools", key ?? "");
}
