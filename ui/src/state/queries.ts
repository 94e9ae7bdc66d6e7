import { useEffect, useEffectEvent, useState } from "react";

import { toBackendError, type Backend, type BackendError } from "../ipc/backend";
import type { CatalogKind, FindingView, OperationView, PromptDetail, ServerId, ToolDetail } from "../ipc/bindings";
import { whileWanted } from "../lib/whileWanted";
import { useAppState, useBackend, useIssueCounts, useServer } from "./hooks";
import { detailCommand, type SelectedKind } from "./slices/items";

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
