import { describe, expect, it } from "vitest";

import { rowAt } from "../../components/rows/rowPages";
import type { Backend } from "../../ipc/backend";
import type { LogRow, LogViewState } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { WireSession } from "./wireSession";
import { NO_FILTER } from "./words";

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 5));

function wire(change: (backend: Backend) => Backend = (same) => same) {
  const states: LogViewState[] = [];
  const closed: number[] = [];
  const backend = change(fakeBackend("history"));
  const session: WireSession = new WireSession(
    backend,
    {
      adoptLog: (log) => {
        states.push(log);
        // As the pane does, once it knows the view.
        queueMicrotask(() => session.sync(log));
      },
      closeLog: (view) => void closed.push(view),
    },
    "server-1",
  );
  return { session, states, closed };
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
    expect(session.state().origin).not.toBeNull();
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

  it("keeps what is shown while the backend is an epoch ahead", async () => {
    let ahead = false;
    const { session } = wire((backend) => ({
      ...backend,
      call: (name, args) =>
        name === "log_rows" && ahead ? Promise.resolve([] as LogRow[] as never) : backend.call(name, args),
    }));
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
});
