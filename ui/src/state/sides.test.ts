import { beforeEach, describe, expect, it, vi } from "vitest";

import type { UiEvent } from "../ipc/bindings";
import { catalogActions } from "./actions/catalogs";
import { operationActions } from "./actions/operations";
import { createAppStore, applyBatch } from "./store";
import { itemsSlice } from "./slices/items";
import { sliceOf } from "./slices/slice";
import { openApp, settle } from "./testing/openApp";

beforeEach(() => void vi.useFakeTimers());

async function open(scenario = "runs_to_compare") {
  const { app, view, live } = await openApp(scenario);
  const sides = () => {
    const { server, beside } = view();
    if (beside === null) return [server];
    return beside.left ? [beside.server, server] : [server, beside.server];
  };
  const [one = "", other = ""] = live().order;
  app.actions.selectServer(one);
  return { app, view, sides, one, other };
}

describe("two servers side by side", () => {
  it("stay at their sides, whichever is selected, by whatever way", async () => {
    const { app, view, sides, one, other } = await open();
    app.actions.showBeside(other);
    expect([view().server, sides()]).toEqual([one, [one, other]]);
    app.actions.activateSide(other);
    expect([view().server, sides()]).toEqual([other, [one, other]]);
    app.actions.selectServer(one);
    expect([view().server, sides()]).toEqual([one, [one, other]]);
    const run = app.store.getState().live.operationOrder[other]?.[0] ?? -1;
    app.actions.get(operationActions).showOperation(run);
    expect([view().server, sides()]).toEqual([other, [one, other]]);
  });

  it("leave the other one when one is closed", async () => {
    const { app, sides, one, other } = await open();
    app.actions.showBeside(other);
    app.actions.closeSide(one);
    expect(sides()).toEqual([other]);
    app.actions.showBeside(one);
    app.actions.closeSide(one);
    expect(sides()).toEqual([other]);
  });

  it("are never twice the same", async () => {
    const { app, sides, one } = await open();
    app.actions.showBeside(one);
    expect(sides()).toEqual([one]);
  });

  it.each(["selected", "other"])("keep one side when the %s server is removed", async (gone) => {
    const { app, sides, one, other } = await open();
    app.actions.showBeside(other);
    const [removed, kept] = gone === "selected" ? [one, other] : [other, one];
    await app.actions.removeServer(removed);
    await settle();
    expect(sides()).toEqual([kept]);
  });
});

describe("what was on show", () => {
  it("is kept for the next start, and comes back", async () => {
    const { app, one, other } = await open();
    app.actions.showBeside(other);
    app.actions.selectTab(one, "wire");
    app.actions.get(catalogActions).selectItem(other, "tools", "say_hello");
    app.actions.filterServers("demo");
    await vi.advanceTimersByTimeAsync(1_000);
    const { settings, servers, sessions, order } = app.store.getState().live;
    expect([settings.beside, settings.server_filter]).toEqual([other, "demo"]);
    expect(settings.views[one]).toEqual({ tab: "wire", tool: null });

    const next = createAppStore();
    applyBatch(next, {
      type: "snapshot",
      number: 1,
      events: [
        {
          type: "settings",
          data: { ...settings, selected_server: one, views: { ...settings.views, gone: { tab: "wire", tool: null } } },
        },
        ...order.flatMap((id): UiEvent[] => {
          const [server, session] = [servers[id], sessions[id]];
          return server && session
            ? [
                { type: "server", data: server },
                { type: "session", data: session },
              ]
            : [];
        }),
      ],
    });
    const { view } = next.getState();
    expect(view.serverFilter).toBe("demo");
    expect([view.server, view.beside]).toEqual([one, { server: other, left: false }]);
    expect(view.perServer[one]?.tab).toBe("wire");
    expect(sliceOf(view.perServer[other], itemsSlice).tool).toBe("say_hello");
    expect("gone" in view.perServer).toBe(false);
  });
});
