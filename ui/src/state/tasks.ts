import type { OperationView, ServerId } from "../ipc/bindings";
import type { LiveState } from "./live";

/** Returns the runs of a server that are tasks, newest first. */
export function taskRunsOf(live: LiveState, server: ServerId): readonly OperationView[] {
  return (live.operationOrder[server] ?? []).flatMap((number) => {
    const run = live.operations[number];
    return run !== undefined && run.task !== null ? [run] : [];
  });
}

/** Returns true if a server has tasks, or one of its runs is a task. */
export function hasTasks(live: LiveState, server: ServerId): boolean {
  return (
    live.sessions[server]?.tool_tasks === true ||
    live.taskLists[server]?.supported === true ||
    (live.operationOrder[server] ?? []).some((number) => (live.operations[number]?.task ?? null) !== null)
  );
}
