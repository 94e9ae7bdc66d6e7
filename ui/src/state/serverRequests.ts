import type { OperationNumber, OperationView, OpenServerRequest } from "../ipc/bindings";

/**
 * The runs that show a server request: the one during which it came or, where nothing says which of several that was,
 * each of them. None for a request of no run, and for one whose runs were forgotten, which must not be lost with them.
 */
export function runsOf(
  request: Pick<OpenServerRequest, "operation" | "candidates"> | undefined,
  operations: Readonly<Record<OperationNumber, OperationView>>,
): readonly OperationNumber[] {
  if (request === undefined) return [];
  const { operation, candidates } = request;
  return (operation === null ? candidates : [operation]).filter((run) => run in operations);
}
