import { beforeEach, expect, it, vi } from "vitest";

import type { CheckDraft } from "../ipc/bindings";
import { checkActions } from "./actions/checks";
import type { App } from "./app";
import { areRunning, checkAt, checksIn, failedChecks, placeOfCheck } from "./checks";
import { checksSlice } from "./slices/checks";
import { sliceOf } from "./slices/slice";
import { openApp, settle } from "./testing/openApp";

beforeEach(() => vi.useFakeTimers());

async function open(scenario: string) {
  const { app, server } = await openApp(scenario);
  const checks = () => app.store.getState().live.checks[server];
  const check = (name: string) => checksIn(checks()).find((one) => one.name === name) ?? never(name);
  return { app, server, checks, check };
}

function never(name: string): never {
  throw new Error(`no check ${name}`);
}

function draftOf(app: App, server: string, operation: number): CheckDraft {
  const draft = sliceOf(app.store.getState().view.perServer[server], checksSlice).drafts[operation];
  return draft ?? never("being made");
}

const sent = (app: App) => vi.spyOn(app.backend, "call");

it("runs the failed checks again, and all where none failed", async () => {
  const { app, server, checks } = await open("checks");
  expect(failedChecks(checks())).toBe(3);
  const call = sent(app);
  const runs = () => call.mock.calls.filter(([name]) => name === "run_checks").map(([, args]) => args);
  await app.actions.get(checkActions).runFailed(server);
  expect(app.store.getState().view.perServer[server]?.tab).toBe("checks");
  expect(runs()).toEqual([{ server, choice: { type: "failed" }, destructive: false, on: null, revision: null }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(areRunning(checks())).toBe(false);
  await Promise.all(checksIn(checks()).map((one) => app.actions.get(checkActions).accept(server, one.id)));
  await settle();
  app.actions.setSlice(server, checksSlice, { destructive: true });
  await app.actions.get(checkActions).runFailed(server);
  expect(runs()[1]).toMatchObject({ choice: { type: "all" }, destructive: true });
});

it("asks for the command of a server before its checks run", async () => {
  const { app, server } = await open("checks_new");
  await app.actions.get(checkActions).run(server, { type: "all" });
  expect(app.store.getState().view.panel).toEqual({ type: "confirm_command", server, how: "connect" });
  expect(app.store.getState().view.localNotices).toEqual([]);
});

it("moves a check within its file, and not beyond", async () => {
  const { app, server, checks, check } = await open("checks");
  const order = () => checks()?.suites[0]?.checks.map(({ name }) => name.split(" ")[0]);
  expect(order()).toEqual(["The", "Greets", "Tides", "No", "Empties"]);
  await app.actions.get(checkActions).move(server, check("Greets by name").id, -1);
  await settle();
  expect(order()).toEqual(["Greets", "The", "Tides", "No", "Empties"]);
  const call = sent(app);
  await app.actions.get(checkActions).move(server, check("Greets by name").id, -1);
  await app.actions.get(checkActions).move(server, check("Empties the harbour").id, 1);
  expect(call).not.toHaveBeenCalled();
});

it("finds a check after an edit by its place", async () => {
  const { app, server, checks, check } = await open("checks");
  const place = placeOfCheck(checks(), check("Tides of three days").id);
  await app.actions.get(checkActions).ignore(server, check("Tides of three days").id, "/structuredContent/generatedAt");
  await settle();
  const edited = checkAt(checks(), place);
  expect(edited?.id.step).not.toBe(place.step);
  expect(edited?.name).toBe("Tides of three days");
});

it("keeps what was chosen for a check until it is written", async () => {
  const { app, server } = await open("checks_read_only");
  const [operation = 0] = app.store.getState().live.operationOrder[server] ?? [];
  const draftNow = () => draftOf(app, server, operation);
  await app.actions.get(checkActions).openKeep(server, operation);
  expect(app.store.getState().view.panel).toEqual({ type: "keep_check", operation });
  const draft = { ...draftNow(), name: "Greets Ada" };
  app.actions.setSlice(server, checksSlice, { drafts: { [operation]: draft } });
  expect(await app.actions.get(checkActions).keep(server, draft)).toBe(false);
  expect(app.store.getState().view.localNotices.map(({ code }) => code)).toEqual(["storage"]);
  app.actions.closePanel();
  await app.actions.get(checkActions).openKeep(server, operation);
  expect(draftNow().name).toBe("Greets Ada");
});

it("forgets the draft of a check that is written", async () => {
  const { app, server, checks } = await open("checks");
  const [operation = 0] = app.store.getState().live.operationOrder[server] ?? [];
  await app.actions.get(checkActions).openKeep(server, operation);
  const draft = { ...draftOf(app, server, operation), name: "Greets Ada" };
  expect(await app.actions.get(checkActions).keep(server, draft)).toBe(true);
  await settle();
  expect(() => draftOf(app, server, operation)).toThrow();
  expect(app.store.getState().view.panel).toBeNull();
  expect(checks()?.suites.map(({ file }) => file)).toContain("checks.sonde.yaml");
});

it("leaves a page that was opened while a check is written", async () => {
  const { app, server } = await open("checks");
  const [operation = 0] = app.store.getState().live.operationOrder[server] ?? [];
  await app.actions.get(checkActions).openKeep(server, operation);
  const kept = app.actions.get(checkActions).keep(server, draftOf(app, server, operation));
  app.actions.openHelp();
  expect(await kept).toBe(true);
  expect(app.store.getState().view.panel?.type).toBe("help");
});
