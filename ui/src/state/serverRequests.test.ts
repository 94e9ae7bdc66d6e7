import { expect, it } from "vitest";

import type { OperationView } from "../ipc/bindings";
import { runsOf } from "./serverRequests";

const view = {} as OperationView;

it("is shown by its run, or by each that it may belong to", () => {
  const operations = { 1: view, 2: view, 3: view };
  expect(runsOf({ operation: 2, candidates: [] }, operations)).toEqual([2]);
  expect(runsOf({ operation: null, candidates: [1, 3] }, operations)).toEqual([1, 3]);
  expect(runsOf({ operation: null, candidates: [] }, operations)).toEqual([]);
  expect(runsOf(undefined, operations)).toEqual([]);
  // A request whose run was deleted is shown in no run.
  expect(runsOf({ operation: 4, candidates: [] }, operations)).toEqual([]);
  expect(runsOf({ operation: null, candidates: [3, 4] }, operations)).toEqual([3]);
});
