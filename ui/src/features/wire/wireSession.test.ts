import { describe, expect, it } from "vitest";

import { rowAt } from "../../components/rows/rowPages";
import type { Backend } from "../../ipc/backend";
import type { LogViewState } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { answering, recorded } from "../../state/testing/openApp";
import { WireSession } from "./wireSession";
import { NO_FILTER } from "./wireWords";

/** Resolves after all promises that only wait for the simulated host, which answers without timers. */
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

function wire(host: Backend = fakeBackend("history")) {
  const states: LogViewState[] = [];
  const closed: number[] = [];
  const { backend, sent } = recorded(host);
  const session: WireSession = new WireSession(
    backend,
    {
      adoptLog: (log) => {
        states.push(log);
        // Like the pane, once it knows the view.
        queueMicrotask(() => session.sync(log));
      },
      closeLog: (view) => void closed.push(view),
    },
    "server-1",
  );
  return { session, states, closed, sent };
}

describe("WireSession", () => {
  it("opens a view and reads rows under its epoch", async () => {
    const { session, states } = wire();
    session.open(NO_FILTER);
    await settled();
    session.pages.show(0, 10);
    await settled();
    expect(states).toHaveLength(1);
    expect(rowAt(session.pages.snapshot(), 0)?.seq).toBe(1);
    const first = rowAt(session.pages.snapshot(), 0);
    expect(rowAt(session.pages.snapshot(), 5)?.began).toBe(first?.at);
  });

  it("finds an entry once the filters before it are in force", async () => {
    const { session } = wire();
    session.open(NO_FILTER);
    await settled();
    session.filter({ ...NO_FILTER, kinds: ["error"] });
    const hidden = await session.locate(1);
    expect(hidden).toBeNull();
    session.filter(NO_FILTER);
    expect((await session.locate(1))?.index).toBe(0);
  });

  it("counts the rows that came after an entry, under any filter", async () => {
    const { session, states } = wire();
    session.open(NO_FILTER);
    await settled();
    const last = states.at(-1)?.last ?? 0;
    expect(await session.rowsAfter(last)).toBe(0);
    expect(await session.rowsAfter(last - 1)).toBe(1);
    session.filter({ ...NO_FILTER, errors: true });
    await settled();
    expect(states.at(-1)?.rows).toBeGreaterThan(1);
    expect(await session.rowsAfter(last)).toBe(0);
    expect(await session.rowsAfter(0)).toBe(states.at(-1)?.rows);
  });

  it("keeps what is shown while the backend is an epoch ahead", async () => {
    let ahead = false;
    const host = fakeBackend("history");
    const { session } = wire(answering(host, { log_rows: (args) => (ahead ? [] : host.call("log_rows", args)) }));
    session.open(NO_FILTER);
    await settled();
    session.pages.show(0, 10);
    await settled();
    ahead = true;
    session.pages.resize(100);
    await settled();
    expect(rowAt(session.pages.snapshot(), 0)?.seq).toBe(1);
  });

  it("closes its view, also one that opens only after closing", async () => {
    const { session, closed } = wire();
    session.open(NO_FILTER);
    session.close();
    session.open(NO_FILTER);
    await settled();
    session.close();
    expect(closed.toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  it("reads again what looks different, from the first row that does", async () => {
    const { session, states, sent } = wire();
    /** Returns the first rows requested since the last call. */
    const asked = () =>
      sent.splice(0).flatMap(({ name, args }) => (name === "log_rows" ? (args as { from: number }).from : []));
    session.open({ ...NO_FILTER, grouped: false });
    await settled();
    session.pages.show(0, 10);
    await settled();
    const known = states.at(-1) ?? expect.fail("no state");
    asked();
    session.sync({ ...known, changes: known.changes + 1, changed_from: known.rows });
    await settled();
    // The only page is not entirely before that row.
    expect(asked()).toEqual([0]);
    session.sync({ ...known, changes: known.changes + 1 });
    await settled();
    expect(asked()).toEqual([]);
    // An intermediate state was missed.
    session.sync({ ...known, changes: known.changes + 3 });
    await settled();
    expect(asked()).toEqual([0]);
  });
});
