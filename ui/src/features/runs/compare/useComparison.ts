import { useEffect, useEffectEvent, useState } from "react";

import { BackendError, toBackendError, type Backend } from "../../../ipc/backend";
import type { DocumentSource, OperationView } from "../../../ipc/bindings";
import { bytes } from "../../../lib/format";
import { whileWanted } from "../../../lib/whileWanted";
import { TooSlow, WorkerCalls } from "../../../lib/workerCalls";
import type { ComparisonHead } from "./comparison";
import type { CompareFunctions, RunDocuments } from "./compareWorker";

/** Bytes above which arguments and results are not compared, as the window would hold them many times over. */
export const MOST_COMPARED = 8 * 1024 * 1024;
/** Milliseconds for a comparison. */
const TIME_LIMIT = 15_000;

export type Comparing =
  | { readonly state: "working" }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "done"; readonly head: ComparisonHead; readonly calls: WorkerCalls<CompareFunctions> };

/** Reads the documents of both sides when they are needed. */
export type ReadSides = () => Promise<readonly [RunDocuments, RunDocuments]>;

/**
 * Compares two results in a worker while the component is mounted. The component's key must identify the compared
 * content.
 */
export function useComparison(read: ReadSides): Comparing {
  const [comparing, setComparing] = useState<Comparing>({ state: "working" });
  const readNow = useEffectEvent(read);
  useEffect(() => {
    const calls = new WorkerCalls<CompareFunctions>(
      new Worker(new URL("./compareWorker.ts", import.meta.url), { type: "module" }),
      TIME_LIMIT,
    );
    const compare = async (): Promise<Comparing> => {
      const [one, other] = await readNow();
      const given = [one, other].flatMap((each) => Object.values(each)).filter((each) => each !== null);
      return { state: "done", head: await calls.call("open", [one, other], given), calls };
    };
    const giveUp = whileWanted(compare(), setComparing, (thrown) =>
      setComparing({ state: "failed", reason: reasonOf(thrown) }),
    );
    return () => {
      giveUp();
      calls.close();
    };
  }, []);
  return comparing;
}

/** Reads the documents of two finished runs. */
export function sidesOfRuns(backend: Backend, left: OperationView, right: OperationView): ReadSides {
  return () => Promise.all([documentsOf(backend, left), documentsOf(backend, right)]);
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof TooSlow) {
    return `The comparison was stopped: it takes more than ${TIME_LIMIT / 1000} seconds.`;
  }
  return toBackendError(thrown).message;
}

async function documentsOf(backend: Backend, run: OperationView): Promise<RunDocuments> {
  const { operation, outcome } = run;
  const hasResult = outcome?.type === "result" || outcome?.type === "protocol_error";
  return {
    arguments: run.arguments === null ? null : await readOf(backend, { type: "arguments", operation }, "arguments"),
    params: run.params === null ? null : await readOf(backend, { type: "params", operation }, "params"),
    result: hasResult ? await readOf(backend, { type: "answer", operation }, "results") : null,
  };
}

async function readOf(backend: Backend, source: DocumentSource, what: string): Promise<ArrayBuffer> {
  const found = await backend.readBytes(source);
  if (found.byteLength > MOST_COMPARED) {
    const message = `One run has ${bytes(found.byteLength)} of ${what}; up to ${bytes(MOST_COMPARED)} can be compared.`;
    throw new BackendError({ code: "invalid_input", message });
  }
  return found;
}
