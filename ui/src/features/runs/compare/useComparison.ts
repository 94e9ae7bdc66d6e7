import { useEffect, useState } from "react";

import { BackendError, toBackendError, type Backend } from "../../../ipc/backend";
import type { DocumentSource, OperationNumber, OperationView } from "../../../ipc/bindings";
import { bytes } from "../../../lib/format";
import { TooSlow, WorkerCalls } from "../../../lib/workerCalls";
import { useBackend, useReadState } from "../../../state/hooks";
import type { ComparisonHead } from "./comparison";
import type { CompareFunctions, RunDocuments } from "./compareWorker";

/** Larger arguments and results are not compared: the window would hold them many times over. In bytes. */
export const MOST_COMPARED = 8 * 1024 * 1024;
/** Milliseconds for a comparison. */
const TIME_LIMIT = 15_000;

export type Comparing =
  | { readonly state: "working" }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "done"; readonly head: ComparisonHead; readonly calls: WorkerCalls<CompareFunctions> };

/** Compares two finished runs in a worker, for as long as the component is there. Wants the runs as its key. */
export function useComparison(left: OperationNumber, right: OperationNumber): Comparing {
  const backend = useBackend();
  const read = useReadState();
  const [comparing, setComparing] = useState<Comparing>({ state: "working" });
  useEffect(() => {
    const calls = new WorkerCalls<CompareFunctions>(
      new Worker(new URL("./compareWorker.ts", import.meta.url), { type: "module" }),
      TIME_LIMIT,
    );
    let current = true;
    const { operations } = read().live;
    const compare = async (): Promise<Comparing> => {
      const documents = await Promise.all([left, right].map((run) => documentsOf(backend, operations[run])));
      const [one, other] = documents as [RunDocuments, RunDocuments];
      const given = documents.flatMap((each) => [each.arguments, each.result]).filter((each) => each !== null);
      return { state: "done", head: await calls.call("open", [one, other], given), calls };
    };
    compare()
      .catch((thrown: unknown): Comparing => ({ state: "failed", reason: reasonOf(thrown) }))
      .then((now) => {
        if (current) setComparing(now);
      }, undefined);
    return () => {
      current = false;
      calls.close();
    };
  }, [backend, read, left, right]);
  return comparing;
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof TooSlow) {
    return `The comparison was stopped: it takes more than ${TIME_LIMIT / 1000} seconds.`;
  }
  return toBackendError(thrown).message;
}

async function documentsOf(backend: Backend, run: OperationView | undefined): Promise<RunDocuments> {
  if (!run) throw new BackendError({ code: "not_found", message: "The run was deleted." });
  const { operation, outcome } = run;
  const hasResult = outcome?.type === "result" || outcome?.type === "protocol_error";
  return {
    arguments: run.arguments === null ? null : await readOf(backend, { type: "arguments", operation }, "arguments"),
    result: hasResult ? await readOf(backend, { type: "answer", operation }, "result") : null,
  };
}

async function readOf(backend: Backend, source: DocumentSource, what: string): Promise<ArrayBuffer> {
  const found = await backend.readBytes(source);
  if (found.byteLength > MOST_COMPARED) {
    const message = `The ${what} of one run is ${bytes(found.byteLength)}; up to ${bytes(MOST_COMPARED)} can be compared.`;
    throw new BackendError({ code: "invalid_input", message });
  }
  return found;
}
