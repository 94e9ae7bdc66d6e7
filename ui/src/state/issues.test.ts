import { expect, it } from "vitest";

import type { OperationView } from "../ipc/bindings";
import { build } from "../ipc/fake/scenarios";
import { issueCount, issuesOf, runWithIssues } from "./issues";
import { initialLive, reduce, type LiveState } from "./live";

function start(): { live: LiveState; server: string } {
  const world = build("issues");
  const [server = ""] = world.order;
  return { live: reduce(initialLive, { type: "snapshot", number: 1, ...world.snapshot() }), server };
}

const withRuns = (live: LiveState, change: (run: OperationView) => OperationView): LiveState => ({
  ...live,
  operations: Object.fromEntries(Object.entries(live.operations).map(([key, run]) => [key, change(run)])),
});

it("counts what passed, what is listed and what runs returned", () => {
  const { live, server } = start();
  expect(issuesOf(live, server)).toEqual({ wire: 4, tools: 1, resources: 0, prompts: 0, results: 3 });
  expect(issueCount(issuesOf(live, server))).toBe(8);
  const run = live.operations[runWithIssues(live, server) ?? 0];
  expect(run?.target).toBe("show_chart");
  expect(issuesOf(live, "another")).toEqual({ wire: 0, tools: 0, resources: 0, prompts: 0, results: 0 });
});

it("says nothing of an earlier connection, nor of an earlier start", () => {
  const { live, server } = start();
  const before = withRuns(live, (run) => ({ ...run, generation: run.generation - 1 }));
  const stored = withRuns(live, (run) => ({
    ...run,
    earlier: { arguments_redacted: false } as OperationView["earlier"],
  }));
  for (const state of [before, stored]) {
    expect(issuesOf(state, server).results).toBe(0);
    expect(runWithIssues(state, server)).toBeUndefined();
  }
});
