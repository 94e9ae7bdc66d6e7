import type { OperationNumber, OperationView, OpenServerRequest } from "../ipc/bindings";

/**
 * Returns the runs that show a server request: the run during which it came or, if that is ambiguous, all candidates.
 * Empty for a request outside of any run, and if the runs were deleted, as the request must still be shown.
 */
export function runsOf(
  request: Pick<OpenServerRequest, "operation" | "candidates"> | undefined,
  operations: Readonly<Record<OperationNumber, OperationView>>,
): readonly OperationNumber[] {
  if (request === undefined) return [];
  const { operation, candidates } = request;
  return (operation === null ? candidates : [operation]).filter((run) => run in operations);
}
