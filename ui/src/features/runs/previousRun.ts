import type { OperationNumber, OperationView } from "../../ipc/bindings";
import type { AppState } from "../../state/store";

/** True if two runs are of the same tool, even of different servers. */
export function isSameTool(one: OperationView, other: OperationView): boolean {
  return one.method === other.method && one.target === other.target;
}

/**
 * Returns the previous finished run of the same tool and server: the last one with the same arguments, or else the last
 * one; `null` without one.
 */
export function previousRun(run: OperationView | undefined, { live }: AppState): OperationNumber | null {
  if (run?.state !== "finished") return null;
  const newestFirst = live.operationOrder[run.server] ?? [];
  const older = newestFirst.slice(newestFirst.indexOf(run.operation) + 1);
  const runs = older.filter((number) => {
    const other = live.operations[number];
    return other?.state === "finished" && isSameTool(run, other);
  });
  return runs.find((number) => live.operations[number]?.arguments === run.arguments) ?? runs[0] ?? null;
}
