import { describe, expect, it } from "vitest";

import type { Batch, Diagnosis, LogViewState, OperationView, UiEvent } from "../ipc/bindings";
import { build } from "../ipc/fake/scenarios";
import { DEFAULT_SETTINGS } from "../ipc/settings";
import { Gap, initialLive, reduce, type LiveState } from "./live";
import { serverRequest } from "./testing/views";

/** Creates a snapshot of a simulated world with a history, and an operation of it to derive others from. */
function start(): { state: LiveState; operation: OperationView; server: string } {
  const world = build("history");
  const snapshot: Batch = { type: "snapshot", number: 7, events: world.snapshot() };
  const operation = world.operations.get(1)?.view;
  const server = world.order[0];
  if (!operation || server === undefined) throw new Error("the history has a call");
  return { state: reduce(initialLive, snapshot), operation, server };
}

const batch = (number: number, ...events: UiEvent[]): Batch => ({ type: "events", number, events });
const then = (state: LiveState, ...events: UiEvent[]): LiveState => reduce(state, batch(state.number + 1, ...events));

describe("the state of the host", () => {
  it("takes over a snapshot with the newest operation first", () => {
    const { state, server } = start();
    expect(state.ready).toBe(true);
    expect(state.number).toBe(7);
    expect(state.order).toHaveLength(3);
    expect(state.operationOrder[server]).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("asks for a snapshot where a batch is missing, comes twice or comes before any snapshot", () => {
    const { state } = start();
    expect(() => reduce(state, batch(9))).toThrow(Gap);
    expect(() => reduce(state, batch(7))).toThrow(Gap);
    expect(() => reduce(initialLive, batch(1))).toThrow(Gap);
    expect(reduce(state, batch(8)).number).toBe(8);
  });

  it("leaves everything that an event is not about as the same object", () => {
    const { state, operation } = start();
    const next = then(state, { type: "operation", data: { ...operation, messages: 5 } });
    expect(next.operations[operation.operation]?.messages).toBe(5);
    expect(next.operations[2]).toBe(state.operations[2]);
    expect(next.operationOrder).toBe(state.operationOrder);
    expect(next.servers).toBe(state.servers);
    expect(next.catalogs).toBe(state.catalogs);
    expect(state.operations[operation.operation]?.messages).toBe(0);
  });

  it("puts new operations in front, whatever order they come in", () => {
    const { state, operation, server } = start();
    const next = then(
      state,
      { type: "operation", data: { ...operation, operation: 12 } },
      { type: "operation", data: { ...operation, operation: 11 } },
    );
    expect(next.operationOrder[server]?.slice(0, 3)).toEqual([12, 11, 8]);
  });

  it("counts the operations that have not ended", () => {
    const { state, operation, server } = start();
    expect(state.running[server] ?? 0).toBe(0);
    const running = { ...operation, operation: 9, state: "running" } as const;
    const one = then(
      state,
      { type: "operation", data: running },
      { type: "operation", data: { ...running, messages: 1 } },
    );
    expect(one.running[server]).toBe(1);
    const two = then(
      one,
      { type: "operation", data: { ...running, operation: 10 } },
      { type: "operation", data: { ...running, state: "finished" } },
    );
    expect(two.running[server]).toBe(1);
    expect(two.operationOrder[server]?.slice(0, 2)).toEqual([10, 9]);
    expect(then(two, { type: "operation_removed", data: 10 }).running[server]).toBe(0);
  });

  it("forgets an operation, and a removed server with all that is its own", () => {
    const { state, server } = start();
    const without = then(state, { type: "operation_removed", data: 3 });
    expect(without.operations[3]).toBeUndefined();
    expect(without.operationOrder[server]).not.toContain(3);
    const gone = then(without, { type: "server_removed", data: server });
    expect(gone.order).toHaveLength(2);
    expect(gone.servers[server]).toBeUndefined();
    expect(gone.sessions[server]).toBeUndefined();
    expect(gone.catalogs[server]).toBeUndefined();
    expect([state.savedInputs[server], gone.savedInputs[server]]).toEqual([[], undefined]);
    expect(Object.keys(gone.operations)).toEqual([]);
  });

  it("applies several events of one batch in order", () => {
    const { state, server } = start();
    const notice = { id: 1, level: "info", server, code: "c", title: "first", detail: null } as const;
    const next = then(
      state,
      { type: "notice", data: notice },
      { type: "notice", data: { ...notice, title: "second" } },
      {
        type: "settings",
        data: { ...DEFAULT_SETTINGS, theme: "dark", selected_server: server },
      },
    );
    expect(next.notices.map(({ title }) => title)).toEqual(["second"]);
    expect(next.settings.theme).toBe("dark");
    expect(then(next, { type: "notice_removed", data: 1 }).notices).toEqual([]);
  });

  it("follows connections and serverRequests, and drops them with their server", () => {
    const { state, server } = start();
    const connection = state.connections[server] ?? expect.fail("the server is connected");
    const health = { level: "degraded", code: "stream_over", sentence: "Not all of it works." } as const;
    const request = serverRequest({ request: 4, server, message: "Which one?" });
    const asked = then(
      state,
      { type: "connection", data: { ...connection, health } },
      { type: "server_request", data: request },
      { type: "server_request", data: { ...request, request: 2 } },
      { type: "server_request", data: { ...request, message: "Which one, please?" } },
    );
    expect(asked.connections[server]?.health).toBe(health);
    expect(asked.serverRequestOrder[server]).toEqual([2, 4]);
    expect(asked.serverRequests[4]?.message).toBe("Which one, please?");
    expect(asked.sessions).toBe(state.sessions);
    const answered = then(
      asked,
      { type: "server_request_removed", data: 2 },
      { type: "server_request_removed", data: 77 },
    );
    expect(answered.serverRequestOrder[server]).toEqual([4]);
    expect(answered.serverRequests[2]).toBeUndefined();
    const gone = then(answered, { type: "server_removed", data: server });
    expect(gone.connections[server]).toBeUndefined();
    expect(gone.serverRequests).toEqual({});
    expect(gone.serverRequestOrder[server]).toBeUndefined();
  });

  it("replaces the diagnosis of a server whole, and drops it with the server", () => {
    const { state, server } = start();
    const diagnosis = { server, state: "running" } as Diagnosis;
    const begun = then(state, { type: "diagnosis", data: diagnosis });
    expect(begun.diagnoses[server]?.state).toBe("running");
    const over = then(begun, { type: "diagnosis", data: { ...diagnosis, state: "done" } });
    expect(over.diagnoses[server]?.state).toBe("done");
    expect(over.sessions).toBe(state.sessions);
    expect(then(over, { type: "server_removed", data: server }).diagnoses).toEqual({});
  });

  it("keeps open log views over a new snapshot", () => {
    const { state } = start();
    const log = { view: 3, rows: 2 } as LogViewState;
    const open = then(state, { type: "log", data: log });
    const again = reduce(open, { type: "snapshot", number: 20, events: [] });
    expect(again.logs[3]).toEqual(log);
    expect(again.number).toBe(20);
  });
});
