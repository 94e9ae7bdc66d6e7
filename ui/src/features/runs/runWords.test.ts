import { describe, expect, it } from "vitest";

import type { OperationView, OperationProgress, StreamStatus, OperationOutcome } from "../../ipc/bindings";
import { build } from "../../ipc/fake/scenarios";
import {
  attemptText,
  isStoppable,
  outcomeWord,
  patience,
  progressShare,
  progressText,
  situation,
  stateWord,
  tookText,
} from "./runWords";

const operation = {
  state: "running",
  started_at: 1_000_000,
  micros: null,
  waited: 0,
  rounds: 0,
  progress: null,
  deadline: { idle_at: 1_060_000, hard_at: 2_800_000 },
  task: null,
  outcome: null,
  issues: 0,
} as OperationView;
const progress: OperationProgress = { progress: 42, total: 100, message: null, count: 3, rate: 12.4 };

it("tells apart how long a run waited for the user", () => {
  const run = { ...operation, micros: 15_230_000 };
  expect(tookText(run)).toBe("15.23 s");
  expect(tookText({ ...run, waited: 14_000_000 })).toBe("1.23 s, and 14.00 s waiting for you");
  // Measured with two clocks, the difference is never negative.
  expect(tookText({ ...run, micros: 5, waited: 10 })).toBe("0 µs, and 10 µs waiting for you");
});

describe("progressText", () => {
  it("says how far and how fast", () => {
    expect(progressText(progress)).toMatch(/^42 of 100 · 12(\.4)? \/ s$/);
  });
  it("keeps fractions", () => {
    expect(progressText({ ...progress, progress: 0.425, total: 1, rate: null })).toMatch(/^0\.4[23] of 1$/);
  });
  it("leaves out what is not known", () => {
    expect(progressText({ ...progress, total: null, rate: null })).toBe("42");
    expect(progressText(null)).toBe("");
  });
});

describe("progressShare", () => {
  it("stays within the bar", () => {
    expect(progressShare(progress)).toBeCloseTo(0.42);
    expect(progressShare({ ...progress, progress: 130 })).toBe(1);
    expect(progressShare({ ...progress, progress: -1 })).toBe(0);
  });
  it("is unknown without a goal", () => {
    expect(progressShare({ ...progress, total: null })).toBeNull();
    expect(progressShare({ ...progress, total: 0 })).toBeNull();
  });
});

describe("patience", () => {
  it("names the nearer limit", () => {
    const task = {
      ...operation,
      task: {} as OperationView["task"],
      deadline: { idle_at: 1_060_000, hard_at: 1_060_000 },
    };
    expect(patience(task, 1_000_000, 1_010_000).text).toBe("Max timeout in 0:50");
    expect(patience(operation, 1_000_000, 1_010_000).text).toBe("Idle timeout in 0:50");
    const late = { ...operation, deadline: { idle_at: 1_060_000, hard_at: 1_020_000 } };
    expect(patience(late, 1_000_000, 1_010_000).text).toBe("Max timeout in 0:10");
  });
  it("says nothing while progress keeps the limits away, until one is near", () => {
    const going = { ...operation, progress, deadline: { idle_at: 1_070_000, hard_at: 2_800_000 } };
    expect(patience(going, 1_010_000, 1_020_000).text).toBe("");
    const short = { ...going, deadline: { idle_at: 1_030_000, hard_at: 2_800_000 } };
    expect(patience(short, 1_010_000, 1_026_000).text).toBe("Idle timeout in 0:04");
    const ending = { ...going, deadline: { idle_at: 2_830_000, hard_at: 2_800_000 } };
    expect(patience(ending, 2_769_000, 2_770_000).text).toBe("Max timeout in 0:30");
    expect(patience(going, 1_010_000, 1_045_000).text).toBe("No activity for 0:35, idle timeout in 0:25");
  });
  it("remarks on half a minute of silence", () => {
    expect(patience(operation, 1_000_000, 1_029_999).quiet).toBe(false);
    const quiet = patience(operation, 1_000_000, 1_034_000);
    expect(quiet.quiet).toBe(true);
    expect(quiet.text).toBe("No activity for 0:34, idle timeout in 0:26");
  });
  it("never counts below zero", () => {
    expect(patience(operation, 1_050_000, 1_070_000).text).toBe("Idle timeout in 0:00");
  });
});

describe("a call that waits", () => {
  it("says for what", () => {
    expect(situation(operation, false)).toBeNull();
    expect(situation(operation, true)).toBe("The server needs input");
    expect(situation({ ...operation, state: "input_required", rounds: 1 }, true)).toBe("The server needs input");
    expect(situation({ ...operation, state: "input_required", rounds: 3 }, true)).toBe(
      "The server needs input (round 3)",
    );
    expect(situation({ ...operation, state: "waiting" }, false)).toBe("The stream closed; reconnecting…");
    expect(stateWord(operation, true)).toBe("Needs input");
  });
  it("can be stopped", () => {
    expect(
      ["queued", "running", "waiting", "input_required"].every((state) => isStoppable(state as OperationView["state"])),
    ).toBe(true);
    expect(isStoppable("cancelling")).toBe(false);
    expect(isStoppable("finished")).toBe(false);
    expect(isStoppable(undefined)).toBe(false);
  });
  it("counts down to the next attempt", () => {
    const stream = { state: "waiting", attempt: 2, budget: 5, next_at: 4000 } as StreamStatus;
    expect(attemptText(stream, 1500)).toBe("Attempt 2 of 5 in 3 s");
    expect(attemptText(stream, 9000)).toBe("Attempt 2 of 5 now");
    expect(attemptText({ ...stream, state: "resuming" }, 0)).toBe("Attempt 2 of 5");
    expect(attemptText(undefined, 0)).toBe("");
  });
});

const result = (is_error: boolean) => ({ type: "result", is_error }) as OperationOutcome;

describe("words", () => {
  it("never calls a result with issues plainly done", () => {
    const world = build("odd");
    const words = [...world.operations.values()].map(
      ({ view }) => view.outcome && outcomeWord(view.outcome, view.issues),
    );
    expect(words).toContainEqual(expect.objectContaining({ word: "Done, 1 issue", tone: "warn" }));
    expect(words).toContainEqual(expect.objectContaining({ word: "Done, 2 issues", tone: "warn" }));
    expect(outcomeWord(result(false), 0)).toMatchObject({ word: "Done", tone: "ok" });
  });
  it("tells the tool's failure apart from the protocol's", () => {
    expect(outcomeWord(result(true), 1).word).toBe("Tool error");
    expect(outcomeWord({ type: "protocol_error", code: -32602, message: "m", data: null, meaning: "x" }, 0).word).toBe(
      "Error",
    );
    expect(outcomeWord({ type: "lost", reason: "r", code: "http_status" }, 0)).toMatchObject({
      word: "HTTP error",
      tone: "bad",
    });
    expect(outcomeWord({ type: "lost", reason: "r", code: "forbidden" }, 0)).toMatchObject({
      word: "Not sent",
      tone: "warn",
    });
    expect(stateWord({ ...operation, state: "cancelling" })).toBe("Cancelling");
    expect(stateWord({ ...operation, state: "waiting" })).toBe("Reconnecting");
    expect(stateWord({ ...operation, state: "input_required" })).toBe("Needs input");
  });
});
