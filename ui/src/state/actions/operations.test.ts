import { beforeEach, expect, it, vi } from "vitest";

import { besideRuns, runsSlice } from "../slices/runs";
import { sliceOf } from "../slices/slice";
import { openApp } from "../testing/openApp";
import { catalogActions } from "./catalogs";
import { operationActions } from "./operations";

const URI = "lighthouse://gull-rock/charts/approach";

beforeEach(() => vi.useFakeTimers());

/** Opens an app on a server whose resources may be cached for a minute, and records the reads sent to it. */
async function stateless() {
  const { app, server, named } = await openApp("stateless");
  await vi.advanceTimersByTimeAsync(950);
  return { app, server, readings: () => named("start_operation").length };
}

it("shows what was read before as long as the server lets it be kept", async () => {
  const { app, server, readings } = await stateless();
  const first = await app.actions.get(operationActions).readUnlessFresh(server, URI);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await app.actions.get(operationActions).readUnlessFresh(server, URI)).toBe(first);
  expect(readings()).toBe(1);
  expect(app.store.getState().live.operations[first ?? 0]?.state).toBe("finished");
  expect(sliceOf(app.store.getState().view.perServer[server], runsSlice).fromCache).toBe(first);

  await vi.advanceTimersByTimeAsync(60_000);
  expect(await app.actions.get(operationActions).readUnlessFresh(server, URI)).not.toBe(first);
  expect(readings()).toBe(2);
});

it("reads again whenever that is asked for", async () => {
  const { app, server, readings } = await stateless();
  const first = await app.actions.get(operationActions).readResource(server, URI);
  expect(await app.actions.get(operationActions).readResource(server, URI)).not.toBe(first);
  expect(readings()).toBe(2);
});

it("has a run that it starts or shows listed beside the item that is shown, whatever it is about", async () => {
  const { app, server } = await stateless();
  const ui = () => {
    const view = app.store.getState().view.perServer[server] ?? expect.fail("the server has a view");
    return view;
  };
  const runs = () => sliceOf(ui(), runsSlice);
  const isListed = (run: number | undefined) => runs().also?.run === run && runs().also?.beside === besideRuns(ui());
  app.actions.get(catalogActions).selectItem(server, "tools", "greet");
  const run = await app.actions.get(operationActions).readResource(server, URI);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isListed(run)).toBe(true);
  app.actions.get(catalogActions).selectItem(server, "tools", "other");
  expect(isListed(run)).toBe(false);
  // The choice between the runs of the item and all runs is kept.
  app.actions.setSlice(server, runsSlice, { only: false, text: "tide" });
  app.actions.get(operationActions).showOperation(run ?? 0);
  expect(runs()).toMatchObject({ only: false, text: "", also: { run } });
  expect(ui().tab).toBe("resources");
});
