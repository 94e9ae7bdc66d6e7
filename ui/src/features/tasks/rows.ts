import { expiresAt, isTerminal } from "../../components/taskWords";
import type { ListedTask, OperationView, TaskList, TaskStatus, TaskStep } from "../../ipc/bindings";

/** Actions on a task, besides showing its run. */
export type TaskAction = "cancel" | "get_result";

/** A task of a server, from a run, from the server's list, or from both. */
export interface TaskRow {
  readonly id: string;
  readonly status: TaskStatus;
  readonly message: string | null;
  /** Creation time as the server wrote it. */
  readonly createdAt: string | null;
  /**
   * Time at which the server may forget the task, in ms since the epoch; `null` if it names none, or never forgets it.
   */
  readonly expires: number | null;
  /** Current step of the run that waits for the task. */
  readonly step: TaskStep | null;
  readonly run: OperationView | null;
  readonly action: TaskAction | null;
}

/** Tasks of runs, newest first, then tasks without a run in the order of the list. */
export function taskRows(list: TaskList | undefined, runs: readonly OperationView[]): readonly TaskRow[] {
  const listed = new Map((list?.tasks ?? []).map((task) => [task.id, task]));
  const ofRuns = runs.flatMap((run) => ofRun(run, run.task === null ? undefined : listed.get(run.task.id)));
  const known = new Set(ofRuns.map((row) => row.id));
  const others = [...listed.values()].filter((task) => !known.has(task.id));
  return [...ofRuns, ...others.map(ofNobody)];
}

function ofRun(run: OperationView, listed: ListedTask | undefined): TaskRow[] {
  const { task, outcome, state } = run;
  if (task === null) return [];
  const over = state === "finished";
  // A finished run gets no news of its task; the list was read later, or not at all.
  const last = over && listed !== undefined && !isTerminal(task.status) ? listed : task;
  const left = run.resumable || ["stopped_waiting", "timed_out", "cancelled"].includes(outcome?.type ?? "");
  const wanted = over ? left && last.status !== "cancelled" : state !== "cancelling";
  return [
    {
      id: task.id,
      status: last.status,
      message: last.message,
      createdAt: task.created_at,
      expires: expiresAt(task),
      step: over ? null : task.step,
      run,
      action: wanted ? (over ? "get_result" : "cancel") : null,
    },
  ];
}

function ofNobody(task: ListedTask): TaskRow {
  const created = Date.parse(task.created_at ?? "");
  const over = isTerminal(task.status);
  return {
    id: task.id,
    status: task.status,
    message: task.message,
    createdAt: task.created_at,
    expires: task.ttl === null || Number.isNaN(created) ? null : created + task.ttl,
    step: null,
    run: null,
    action: over ? (task.status === "cancelled" ? null : "get_result") : "cancel",
  };
}
