import { expect, it } from "vitest";

import type { OperationView } from "../../ipc/bindings";
import { listed } from "./runOrder";

const run = (state: OperationView["state"], started_at: number, millis: number | null, pinned = false) =>
  ({ state, started_at, micros: millis === null ? null : millis * 1000, label: { pinned } }) as OperationView;

const one = run("running", 1000, null);
const two = run("finished", 1100, 50);

it("lets those in progress stay where they are when another is started", () => {
  const before = listed([2, 1], { 1: one, 2: two });
  expect(before).toEqual([1, 2]);
  expect(listed([3, 2, 1], { 1: one, 2: two, 3: run("queued", 1200, null) })).toEqual([1, 3, 2]);
});

it("puts first what ended last, below what is pinned", () => {
  const ended = run("finished", 1000, 900);
  expect(listed([3, 2, 1], { 1: ended, 2: two, 3: run("finished", 1300, 10) })).toEqual([1, 3, 2]);
  expect(listed([3, 2, 1], { 1: one, 2: run("finished", 1100, 50, true), 3: run("finished", 1300, 10) })).toEqual([
    2, 1, 3,
  ]);
});
