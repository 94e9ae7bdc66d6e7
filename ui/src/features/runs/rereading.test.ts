import { expect, it } from "vitest";

import type { OperationView, SessionView } from "../../ipc/bindings";
import { initialLive, type LiveState } from "../../state/live";
import { rereading } from "./rereading";

function reading(operation: number, target = "file:///log", generation = 2): OperationView {
  return { operation, server: "s", generation, method: "resources/read", target } as OperationView;
}

function live(runs: readonly OperationView[], more: Partial<LiveState> = {}): LiveState {
  return {
    ...initialLive,
    sessions: { s: { generation: 2 } as SessionView },
    operations: Object.fromEntries(runs.map((run) => [run.operation, run])),
    operationOrder: { s: runs.map(({ operation }) => operation).toSorted((a, b) => b - a) },
    ...more,
  };
}

it("promises the newest reading of a resource in this connection, and no other", () => {
  const [older, newest, other] = [reading(1), reading(2), reading(3, "file:///chart")];
  const state = live([older, newest, other]);
  expect(rereading(newest, state)).toBe(". Until then Read shows this run again and sends nothing.");
  expect(rereading(other, state)).toMatch(/^\. Until then/);
  expect(rereading(older, state)).toBe(", but the resource was read again since then: Read asks the server.");
});

it("says so where the reading is of another connection, or the resource was updated since", () => {
  const before = reading(1, "file:///log", 1);
  expect(rereading(before, live([before]))).toMatch(/^, but it came in an earlier connection/);
  const run = reading(1);
  const updated = { server: "s", subscriptions: [{ uri: "file:///log", unread: true }] };
  const subscriptions = { s: updated } as unknown as LiveState["subscriptions"];
  expect(rereading(run, live([run], { subscriptions }))).toMatch(/^, but the resource was updated since then/);
});
