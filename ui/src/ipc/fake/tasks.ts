/** Tools that are run as tasks. */
import type { ListedTask, OperationOutcome, TaskChange, TaskRun, TaskStatus } from "../bindings";
import { result, text } from "./results";
import type { FakeOperation, FakeServer, World } from "./world";

/** Poll interval that the server suggests, in ms. */
const INTERVAL = 5_000;
/** Lifetime of a task at the server, in ms. */
const TTL = 600_000;

function change(status: TaskStatus, message: string | null, at: number, source: TaskChange["source"]): TaskChange {
  return { at, status, message, source };
}

/** Responds with a task that was created `ago` milliseconds before now. */
function beginTask(world: World, operation: FakeOperation, message: string, ago = 0): void {
  const since = Date.now() - ago;
  const id = `0b5e7d7e-6a1f-4c09-9f0e-5d1c3a9b00${10 + operation.view.operation}`;
  const task: TaskRun = {
    id,
    status: "working",
    message,
    created_at: new Date(since).toISOString(),
    since,
    ttl: TTL,
    poll_interval: INTERVAL,
    step: { type: "wait", at: Date.now() + INTERVAL },
    told: 1,
    cancel_failed: null,
    resumed: 0,
    changes: [change("working", message, since, "created")],
  };
  const { deadline } = operation.view;
  world.update(operation, { task, deadline: deadline && { ...deadline, idle_at: deadline.hard_at } });
}

/** Changes the status of a task. */
function taskStatus(world: World, operation: FakeOperation, status: TaskStatus, message: string | null): void {
  const { task, state } = operation.view;
  if (!task) return;
  const changes = [...task.changes, change(status, message, Date.now(), "polled")];
  const step: TaskRun["step"] = { type: "wait", at: Date.now() + INTERVAL };
  const next = status === "input_required" ? "input_required" : state === "input_required" ? "running" : state;
  world.update(operation, { state: next, task: { ...task, status, message, changes, step, told: task.told + 1 } });
}

/** Ends the run of a task. */
export function endTask(world: World, operation: FakeOperation, outcome?: OperationOutcome): void {
  const { task } = operation.view;
  if (task) world.update(operation, { task: { ...task, step: null } });
  if (outcome === undefined) world.answer(operation, result([text("The harbour is 8 m deep.")]));
  else world.finishWith(operation, outcome);
}

/** Plays a tool that is run as a task, which does not end. */
export function playTask(world: World, operation: FakeOperation): void {
  setTimeout(() => beginTask(world, operation, "The dredger is on its way"), 120);
}

/** Polls the status now. */
export function askTask(world: World, operation: FakeOperation): void {
  const { task } = operation.view;
  if (task) taskStatus(world, operation, task.status, task.message);
}

function beginner(world: World, server: FakeServer) {
  return (depth: number, message: string, ago = 0): FakeOperation => {
    const run = world.newOperation(server, "dredge_harbour", JSON.stringify({ metres: depth }));
    beginTask(world, run, message, ago);
    return run;
  };
}

/** Adds a task for each way in which its run can end. */
export function endedTasks(world: World, server: FakeServer): void {
  const begin = beginner(world, server);
  const lost = "The server's process ended before it answered.";
  const expired = begin(1, "The dredger is on its way", 2 * TTL);
  world.update(expired, { started_at: Date.now() - 2 * TTL });
  endTask(world, expired, {
    type: "protocol_error",
    code: -32602,
    message: "Failed to retrieve task: Task has expired",
    data: null,
    meaning: "The task has expired: the server no longer has it.",
  });
  const left = begin(2, "Clearing the berth");
  endTask(world, left, { type: "lost", reason: lost, code: "connection_lost" });
  world.update(left, { resumable: true });
  endTask(world, begin(3, "Clearing the berth"), { type: "stopped_waiting" });
  const cancelled = begin(4, "Clearing the berth");
  taskStatus(world, cancelled, "cancelled", "Called off");
  endTask(world, cancelled, { type: "cancelled" });
  const failed = begin(5, "Clearing the berth");
  taskStatus(world, failed, "failed", "The dredger ran aground");
  world.answer(failed, result([text("The dredger ran aground.")], { isError: true }));
  const completed = begin(6, "The dredger is on its way", 90_000);
  taskStatus(world, completed, "working", "Clearing the berth");
  taskStatus(world, completed, "completed", "Done");
  endTask(world, completed);
}

/** Adds running tasks: one works, one asks, and one is not cancelled by its server. */
export function runningTasks(world: World, server: FakeServer): void {
  const begin = beginner(world, server);
  const stubborn = begin(7, "Nothing stops it now");
  const { task } = stubborn.view;
  if (task)
    world.update(stubborn, { task: { ...task, ttl: null, cancel_failed: "The server answered “no” (-32601)." } });
  const asking = begin(8, "The dredger is on its way");
  const message = "A wreck lies in the way. Lift it?";
  const schema = { type: "object", properties: { lift: { type: "boolean", title: "Lift it" } } };
  taskStatus(world, asking, "input_required", "A wreck lies in the way");
  world.ask(server, {
    operation: asking.view.operation,
    method: "elicitation/create",
    message,
    schema,
    params: { message, requestedSchema: schema },
    onAnswer: () => taskStatus(world, asking, "working", "Lifting the wreck"),
  });
  begin(9, "Clearing the berth");
}

/** Resumes waiting for the task of a run that has ended. */
export function resumeTask(world: World, operation: FakeOperation): void {
  const { task } = operation.view;
  if (!task) return;
  const step: TaskRun["step"] = { type: "wait", at: Date.now() + INTERVAL };
  const resumed = { ...task, resumed: task.resumed + 1, step };
  world.update(operation, { state: "running", outcome: null, resumable: false, micros: null, task: resumed });
}

/** Reads the server's task list: existing tasks of its runs, and some of other clients. */
export function readTasks(world: World, server: FakeServer): void {
  world.changeTasks(server, { loading: true, error: null });
  const now = Date.now();
  const others: readonly [string, TaskStatus, string | null, number][] = [
    ["b41f7c02-3d5e-4a1c-8f60-0e9a7d2c1101", "working", "Dredging the fairway", 45_000],
    ["b41f7c02-3d5e-4a1c-8f60-0e9a7d2c1102", "completed", null, 300_000],
    ["b41f7c02-3d5e-4a1c-8f60-0e9a7d2c1103", "cancelled", "Called off by the harbour master", 500_000],
  ];
  const listed = (id: string, status: TaskStatus, message: string | null, since: number): ListedTask => ({
    id,
    status,
    message,
    created_at: new Date(since).toISOString(),
    updated_at: new Date(now).toISOString(),
    ttl: TTL,
  });
  const own = [...world.operations.values()].flatMap(({ view: { server: of, task } }) =>
    of === server.view.id && task && task.since + TTL > now
      ? [listed(task.id, task.status, task.message, task.since)]
      : [],
  );
  const tasks = [...own, ...others.map(([id, status, message, ago]) => listed(id, status, message, now - ago))];
  world.exchange(server, "tasks/list", {}, { tasks: tasks.length }, null);
  setTimeout(() => world.changeTasks(server, { loading: false, read_at: now, tasks }), 60);
}
