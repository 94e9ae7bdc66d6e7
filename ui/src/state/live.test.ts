import { describe, expect, it } from "vitest";

import type { Batch, CallView, UiEvent } from "../ipc/bindings";
import { build } from "../ipc/fake/scenarios";
import { Gap, initialLive, reduce, type LiveState } from "./live";

/** A snapshot of a simulated world with a history, and a call of it to make others of. */
function start(): { state: LiveState; call: CallView; server: string } {
  const world = build("history");
  const servers = world.order.map((id) => world.server(id));
  const snapshot: Batch = {
    type: "snapshot",
    number: 7,
    servers: servers.map((server) => server.view),
    sessions: servers.map((server) => server.session),
    catalogs: servers.flatMap((server) => (server.list ? [server.list] : [])),
    connections: servers.flatMap((server) => (server.connection ? [server.connection.view] : [])),
    auth: [],
    questions: [],
    calls: [...world.calls.values()].map((call) => call.view),
    notices: [],
    settings: world.settings,
  };
  const call = world.calls.get(1)?.view;
  const server = world.order[0];
  if (!call || server === undefined) throw new Error("the history has a call");
  return { state: reduce(initialLive, snapshot), call, server };
}

const batch = (number: number, ...events: UiEvent[]): Batch => ({ type: "events", number, events });

describe("the state of the host", () => {
  it("takes over a snapshot with the newest call first", () => {
    const { state, server } = start();
    expect(state.ready).toBe(true);
    expect(state.number).toBe(7);
    expect(state.order).toHaveLength(3);
    expect(state.callOrder[server]).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("asks for a snapshot where a batch is missing, comes twice or comes before any snapshot", () => {
    const { state } = start();
    expect(() => reduce(state, batch(9))).toThrow(Gap);
    expect(() => reduce(state, batch(7))).toThrow(Gap);
    expect(() => reduce(initialLive, batch(1))).toThrow(Gap);
    expect(reduce(state, batch(8)).number).toBe(8);
  });

  it("leaves everything that an event is not about as the same object", () => {
    const { state, call } = start();
    const next = reduce(state, batch(8, { type: "call", data: { ...call, messages: 5 } }));
    expect(next.calls[call.call]?.messages).toBe(5);
    expect(next.calls[2]).toBe(state.calls[2]);
    expect(next.callOrder).toBe(state.callOrder);
    expect(next.servers).toBe(state.servers);
    expect(next.catalogs).toBe(state.catalogs);
    expect(state.calls[call.call]?.messages).toBe(0);
  });

  it("puts new calls in front, whatever order they come in", () => {
    const { state, call, server } = start();
    const next = reduce(
      state,
      batch(8, { type: "call", data: { ...call, call: 12 } }, { type: "call", data: { ...call, call: 11 } }),
    );
    expect(next.callOrder[server]?.slice(0, 3)).toEqual([12, 11, 8]);
  });

  it("counts the calls that have not ended", () => {
    const { state, call, server } = start();
    expect(state.running[server]).toBe(0);
    const running = { ...call, call: 9, state: "running" } as const;
    const one = reduce(
      state,
      batch(8, { type: "call", data: running }, { type: "call", data: { ...running, messages: 1 } }),
    );
    expect(one.running[server]).toBe(1);
    const two = reduce(
      one,
      batch(
        9,
        { type: "call", data: { ...running, call: 10 } },
        { type: "call", data: { ...running, state: "finished" } },
      ),
    );
    expect(two.running[server]).toBe(1);
    expect(two.callOrder[server]?.slice(0, 2)).toEqual([10, 9]);
    expect(reduce(two, batch(10, { type: "call_removed", data: 10 })).running[server]).toBe(0);
  });

  it("forgets a call, and a removed server with all that is its own", () => {
    const { state, server } = start();
    const without = reduce(state, batch(8, { type: "call_removed", data: 3 }));
    expect(without.calls[3]).toBeUndefined();
    expect(without.callOrder[server]).not.toContain(3);
    const gone = reduce(without, batch(9, { type: "server_removed", data: server }));
    expect(gone.order).toHaveLength(2);
    expect(gone.servers[server]).toBeUndefined();
    expect(gone.sessions[server]).toBeUndefined();
    expect(gone.catalogs[server]).toBeUndefined();
    expect(Object.keys(gone.calls)).toEqual([]);
  });

  it("applies several events of one batch in order", () => {
    const { state, server } = start();
    const notice = { id: 1, level: "info", server, code: "c", title: "first", detail: null } as const;
    const next = reduce(
      state,
      batch(
        8,
        { type: "notice", data: notice },
        { type: "notice", data: { ...notice, title: "second" } },
        { type: "settings", data: { theme: "dark", selected_server: server } },
      ),
    );
    expect(next.notices.map(({ title }) => title)).toEqual(["second"]);
    expect(next.settings.theme).toBe("dark");
    expect(reduce(next, batch(9, { type: "notice_removed", data: 1 })).notices).toEqual([]);
  });

  it("follows connections and questions, and drops them with their server", () => {
    const { state, server } = start();
    const connection = state.connections[server];
    if (!connection) throw new Error("the server is connected");
    const question = {
      question: 4,
      server,
      call: null,
      method: "elicitation/create",
      message: "Which one?",
      schema: "{}",
      params: "{}",
      undeclared: false,
      seq: 9,
    };
    const asked = reduce(
      state,
      batch(
        8,
        { type: "connection", data: { ...connection, degraded: "Not all of it works." } },
        { type: "question", data: question },
        { type: "question", data: { ...question, question: 2 } },
        { type: "question", data: { ...question, message: "Which one, please?" } },
      ),
    );
    expect(asked.connections[server]?.degraded).toBe("Not all of it works.");
    expect(asked.questionOrder[server]).toEqual([2, 4]);
    expect(asked.questions[4]?.message).toBe("Which one, please?");
    expect(asked.sessions).toBe(state.sessions);
    const answered = reduce(
      asked,
      batch(9, { type: "question_removed", data: 2 }, { type: "question_removed", data: 77 }),
    );
    expect(answered.questionOrder[server]).toEqual([4]);
    expect(answered.questions[2]).toBeUndefined();
    const gone = reduce(answered, batch(10, { type: "server_removed", data: server }));
    expect(gone.connections[server]).toBeUndefined();
    expect(gone.questions).toEqual({});
    expect(gone.questionOrder[server]).toBeUndefined();
  });

  it("keeps open log views over a new snapshot", () => {
    const { state, server } = start();
    const log = {
      view: 3,
      server,
      epoch: 1,
      rows: 2,
      total: 2,
      bytes: 10,
      dropped: 0,
      max_rows: 9,
      max_bytes: 9,
      searching: false,
      methods: [],
    };
    const open = reduce(state, batch(8, { type: "log", data: log }));
    const again = reduce(open, {
      type: "snapshot",
      number: 20,
      servers: [],
      sessions: [],
      catalogs: [],
      connections: [],
      auth: [],
      questions: [],
      calls: [],
      notices: [],
      settings: open.settings,
    });
    expect(again.logs[3]).toEqual(log);
    expect(again.number).toBe(20);
  });
});
