import { describe, expect, it } from "vitest";

import { expiryText, stepText } from "../../../components/taskWords";
import type { OperationOutcome, OperationView, TaskRun } from "../../../ipc/bindings";
import { afterwards } from "./taskWords";

const task = { status: "working", since: 1_000, ttl: 60_000 } as TaskRun;

const over = (outcome: OperationOutcome, change: Partial<TaskRun> = {}, micros = 1_000): string | null =>
  afterwards({ task: { ...task, ...change }, outcome, started_at: 1_000, micros } as OperationView);

describe("the task of a run", () => {
  it("says when its status is asked for, and when it expires", () => {
    expect(stepText({ type: "wait", at: 6_000 }, 1_500)).toBe("next status in 5 s");
    expect(stepText({ type: "wait", at: 6_000 }, 7_000)).toBe("asking for the status");
    expect(stepText({ type: "fetching_result" }, 0)).toBe("fetching the result");
    expect(expiryText(task, 1_000)).toBe("expires in 1 minute");
    expect(expiryText(task, 61_000)).toMatch(/^expired/);
    expect(expiryText({ ...task, ttl: null }, 61_000)).toBe("");
  });

  it("says what became of it where the outcome does not", () => {
    const lost = { type: "lost", code: "connection_lost", reason: "" } as const;
    expect(over({ type: "stopped_waiting" })).toMatch(/not cancelled.*“working”/);
    expect(over({ type: "timed_out", hard: true })).toMatch(/not cancelled/);
    expect(over(lost)).toMatch(/may go on/);
    expect(over(lost, { status: "completed" })).toMatch(/is over, and its result was not received/);
    expect(afterwards({ task, outcome: lost, resumable: true } as OperationView)).toMatch(/next connection asks/);
    expect(over({ type: "cancelled" })).toMatch(/asked to cancel/);
    expect(over({ type: "cancelled" }, { status: "completed" })).toMatch(/“completed”/);
    expect(over({ type: "cancelled" }, { status: "cancelled" })).toBeNull();
    const error = { type: "protocol_error", code: -32602, message: "", data: null, meaning: "" } as const;
    expect(over(error)).toBeNull();
  });
});
