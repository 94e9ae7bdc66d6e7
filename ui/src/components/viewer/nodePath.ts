import type { DocumentRow } from "../../ipc/bindings";
import { keyStep } from "../../schema/difference/changes";

export type NodeRow = Extract<DocumentRow, { type: "node" }>;

/** Formats a path as in code, for example `$.users[3]["first name"]`. */
export function nodePath(rows: readonly DocumentRow[]): string {
  let path = "$";
  for (const row of rows) {
    if (row.type !== "node" || row.depth === 0) continue;
    if (row.index !== null) path += `[${row.index}]`;
    else if (row.key !== null) path += keyStep(row.key);
  }
  return path;
}

/** Returns the steps of a path: keys and indexes from the root. */
export function nodeSteps(rows: readonly DocumentRow[]): (string | number)[] {
  return rows
    .filter((row): row is NodeRow => row.type === "node" && row.depth > 0)
    .map((row) => row.index ?? row.key ?? "");
}
