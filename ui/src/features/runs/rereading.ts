import type { OperationView } from "../../ipc/bindings";
import { subscriptionTo, type LiveState } from "../../state/live";

/** Describes if Read would show a cached run again; the text follows "Cached; expires in 4 minutes". */
export function rereading({ operation, server, generation, method, target }: OperationView, live: LiveState): string {
  const newest = live.operationOrder[server]?.find((number) => {
    const run = live.operations[number];
    return run?.method === method && run.target === target;
  });
  if (newest !== operation) return ", but the resource was read again since then: Read asks the server.";
  if (live.sessions[server]?.generation !== generation)
    return ", but it came in an earlier connection: Read asks the server.";
  if (target !== null && subscriptionTo(live, server, target)?.unread === true)
    return ", but the resource was updated since then: Read asks the server.";
  return ". Until then Read shows this run again and sends nothing.";
}
