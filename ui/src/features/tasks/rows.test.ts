import { describe, expect, it } from "vitest";

import type { ListedTask, OperationView, TaskList, TaskRun } from "../../ipc/bindings";
import { taskRows } from "./rows";

const task = { id: "a", status: "working", message: "half", created_at: null, since: 1_000, ttl: 500, step: null };
const run = (change: Partial<OperationView>, of: Partial<TaskRun> = {}): OperationView =>
  ({ state: "running", outcome: null, resumable: false, ...change, task: { ...task, ...of } }) as OperationView;
const listed = (id: string, status: ListedTask["status"], change: Partial<ListedTask> = {}): ListedTask => ({
  id,
  status,
  message: null,
  created_at: null,
  updated_at: null,
  ttl: null,
  ...change,
});
const list = (...tasks: ListedTask[]): TaskList => ({ tasks }) as unknown as TaskList;

describe("the tasks of a server", () => {
  it("are those of the runs and those of the list, each once", () => {
    const rows = taskRows(list(listed("b", "working"), listed("a", "completed")), [run({}), run({}, { id: "c" })]);
    expect(rows.map((row) => [row.id, row.status, row.action])).toEqual([
      // The run has a newer status than the list.
      ["a", "working", "cancel"],
      ["c", "working", "cancel"],
      ["b", "working", "cancel"],
    ]);
    expect(rows.map((row) => row.run !== null)).toEqual([true, true, false]);
  });

  it("offer what can be done about each", () => {
    const over = (change: Partial<OperationView>) => run({ state: "finished", ...change });
    const action = (one: OperationView, tasks: TaskList = list()) => taskRows(tasks, [one])[0]?.action;
    expect(action(run({ state: "cancelling" }))).toBeNull();
    expect(action(over({ outcome: { type: "cancelled" } }))).toBe("get_result");
    const confirmed = run({ state: "finished", outcome: { type: "cancelled" } }, { status: "cancelled" });
    expect(action(confirmed)).toBeNull();
    expect(action(over({ outcome: { type: "stopped_waiting" } }))).toBe("get_result");
    expect(action(over({ outcome: { type: "timed_out", hard: true } }))).toBe("get_result");
    expect(action(over({ resumable: true }))).toBe("get_result");
    // The list has a newer status than the run.
    const cancelled = list(listed("a", "cancelled"));
    expect(action(over({ outcome: { type: "stopped_waiting" } }), cancelled)).toBeNull();
    const others = taskRows(list(listed("b", "failed"), listed("c", "cancelled"), listed("d", "input_required")), []);
    expect(others.map((row) => row.action)).toEqual(["get_result", null, "cancel"]);
  });

  it("expire from their creation on", () => {
    const made = { created_at: "1970-01-01T00:00:02Z", ttl: 3_000 };
    const rows = taskRows(list(listed("b", "working", made), listed("c", "working", { ttl: 3_000 })), [run({})]);
    expect(rows.map((row) => row.expires)).toEqual([1_500, 5_000, null]);
  });
});
