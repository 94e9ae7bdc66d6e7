import { expect, it } from "vitest";

import type { OperationView } from "../../ipc/bindings";
import { createAppStore } from "../../state/store";
import { previousRun } from "./previousRun";

function stateOf(runs: readonly Partial<OperationView>[]) {
  const store = createAppStore();
  const { live } = store.getState();
  const operations: Record<number, OperationView> = {};
  for (const [operation, run] of runs.entries()) {
    operations[operation] = {
      operation,
      server: "a",
      method: "tools/call",
      target: "echo",
      state: "finished",
      ...run,
    } as OperationView;
  }
  const order = Object.values(operations)
    .filter(({ server }) => server === "a")
    .map(({ operation }) => operation)
    .toSorted((a, b) => b - a);
  return { ...store.getState(), live: { ...live, operations, operationOrder: { a: order } } };
}

it("is the newest finished one before of the same tool and server", () => {
  const state = stateOf([{}, {}, { target: "add" }, { state: "running" }, { server: "b" }, {}, {}]);
  expect(previousRun(state.live.operations[5], state)).toBe(1);
  expect(previousRun(state.live.operations[6], state)).toBe(5);
  expect(previousRun(state.live.operations[0], state)).toBeNull();
  expect(previousRun(state.live.operations[2], state)).toBeNull();
});

it("has the same arguments, if one has", () => {
  const given = ["1", "2", "3", "1"].map((value) => ({ arguments: `{"a":${value}}` }));
  const state = stateOf(given);
  expect(previousRun(state.live.operations[3], state)).toBe(0);
  expect(previousRun(state.live.operations[2], state)).toBe(1);
});

it("is none for a run that has not ended", () => {
  const state = stateOf([{}, { state: "running" }]);
  expect(previousRun(state.live.operations[1], state)).toBeNull();
  expect(previousRun(undefined, state)).toBeNull();
});
