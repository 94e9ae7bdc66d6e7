import { beforeEach, expect, it, vi } from "vitest";

import { BackendError } from "../ipc/backend";
import { issuesOf } from "./issues";
import { hiddenIn, placeBeside, placeOf, sectionsOf } from "./serverGroups";
import { openApp, settle } from "./testing/openApp";

beforeEach(() => void vi.useFakeTimers());

async function open() {
  const { app, live } = await openApp("groups");
  const nameOf = (server: string) => live().servers[server]?.config.name ?? "";
  /** Returns the visible list: the name of each group before its servers. */
  const list = () => sectionsOf(live()).map(({ group, servers }) => [group?.name ?? "-", ...servers.map(nameOf)]);
  const id = (name: string) => live().order.find((server) => nameOf(server) === name) ?? "";
  return { app, live, list, id };
}

const before = [
  ["-", "Demo server", "Files"],
  ["Work", "Company tickets", "Service 1"],
  ["Tests", "Service 2"],
];

it("sums what the servers of a group wait for, and their issues", async () => {
  const { live } = await open();
  const [first = "", second = "", third = ""] = live().order;
  const none = issuesOf({ ...live(), issues: {} }, "");
  const counted = (server: string, tools: number) => ({
    counts: { ...none, server, frames: 1, tools, errors: tools - 1 },
  });
  const now = {
    ...live(),
    serverRequestOrder: { [first]: [1, 2], [second]: [3], [third]: [4] },
    issues: { [first]: counted(first, 2), [second]: counted(second, 5), [third]: counted(third, 9) },
  } as unknown as ReturnType<typeof live>;
  expect(hiddenIn(now, [first, second])).toEqual({ waiting: 3, issues: 9, errors: 5, worst: null });
  expect(hiddenIn(now, [])).toEqual({ waiting: 0, issues: 0, errors: 0, worst: null });
});

it("names the server of a group whose connection is in the worst state", async () => {
  const { live } = await open();
  const [first = "", second = "", third = ""] = live().order;
  const phases = (one: string, two: string, three: string) => ({
    [first]: { phase: one },
    [second]: { phase: two },
    [third]: { phase: three },
  });
  const health = { [first]: { health: { level: "degraded" } }, [second]: { health: { level: "unhealthy" } } };
  const worst = (sessions: object): string | null =>
    hiddenIn({ ...live(), sessions, connections: health } as unknown as ReturnType<typeof live>, [first, second, third])
      .worst;
  expect(worst(phases("ready", "idle", "ready"))).toBe(first);
  expect(worst(phases("ready", "ready", "idle"))).toBe(second);
  expect(worst(phases("ready", "ready", "failed"))).toBe(third);
  expect(worst(phases("idle", "closing", "connecting"))).toBe(null);
});

it("moves a server by steps through the groups", async () => {
  const { app, live, list, id } = await open();
  expect(list()).toEqual(before);
  const files = id("Files");
  const steps = [
    ["Work", 0],
    ["Work", 1],
    ["Work", 2],
    ["Tests", 0],
    ["Tests", 1],
  ];
  for (const [group, index] of steps) {
    await app.actions.moveServer(files, 1);
    await settle();
    const place = placeOf(live(), files);
    expect([live().groups.find((one) => one.id === place.group)?.name, place.index]).toEqual([group, index]);
  }
  expect(placeBeside(live(), files, 1)).toBeNull();
  // The order of all servers follows the groups.
  expect(live().order.indexOf(files)).toBe(4);
  // A server that is moved into a collapsed group expands it.
  const [work, tests] = live().groups;
  await app.actions.collapseServerGroup(work?.id ?? "", true);
  await settle();
  await app.actions.moveServer(id("Service 2"), -1);
  await settle();
  expect(live().groups.map(({ collapsed }) => collapsed)).toEqual([false, false]);
  expect(list()).toEqual([
    ["-", "Demo server"],
    ["Work", "Company tickets", "Service 1", "Service 2"],
    ["Tests", "Files"],
  ]);
  await app.actions.moveServerGroup(tests?.id ?? "", -1);
  await app.actions.moveServerGroup(tests?.id ?? "", -1);
  await settle();
  expect(live().groups.map(({ name }) => name)).toEqual(["Tests", "Work"]);
});

it("puts a server where it is dropped, and asks for nothing that is so already", async () => {
  const { app, live, list, id } = await open();
  const [work] = live().groups;
  await app.actions.placeServer(id("Service 2"), { group: work?.id ?? "", index: 1 });
  await app.actions.placeServer(id("Company tickets"), { group: null, index: 0 });
  await settle();
  const after = [["-", "Company tickets", "Demo server", "Files"], ["Work", "Service 2", "Service 1"], ["Tests"]];
  expect(list()).toEqual(after);
  const { number } = live();
  await app.actions.placeServer(id("Service 2"), { group: work?.id ?? "", index: 0 });
  await settle();
  expect([list(), live().number]).toEqual([after, number]);
});

it("removes a group without its servers, and brings it back with them", async () => {
  const { app, live, list, id } = await open();
  await app.actions.removeServerGroup(live().groups[0]?.id ?? "");
  await settle();
  expect(list()).toEqual([
    ["-", "Demo server", "Files", "Company tickets", "Service 1"],
    ["Tests", "Service 2"],
  ]);
  // What the backend refuses for now, it keeps.
  const refused = new BackendError({ code: "invalid_input", message: "Not now." });
  vi.spyOn(app.backend, "call").mockRejectedValueOnce(refused);
  app.toasts.undoLast();
  await settle();
  app.toasts.undoLast();
  await settle();
  expect(list()).toEqual(before);

  await app.actions.addServerGroup([id("Files"), id("Service 1")]);
  await settle();
  const made = live().groups.at(-1)?.id ?? "";
  expect(app.store.getState().view.editedGroup).toBe(made);
  await app.actions.renameServerGroup(made, "  ");
  await app.actions.renameServerGroup(made, " Mine ");
  await settle();
  expect(app.store.getState().view.editedGroup).toBeNull();
  expect(list()).toEqual([
    ["-", "Demo server"],
    ["Work", "Company tickets"],
    ["Tests", "Service 2"],
    ["Mine", "Files", "Service 1"],
  ]);
});

it("brings the name of a group back that was renamed", async () => {
  const { app, live } = await open();
  const [group] = live().groups;
  await app.actions.renameServerGroup(group?.id ?? "", "Harbours");
  await settle();
  expect(live().groups[0]?.name).toBe("Harbours");
  expect(app.toasts.undoable()[0]?.title).toBe("Group “Work” renamed");
  app.toasts.undoLast();
  await settle();
  expect(live().groups[0]?.name).toBe("Work");
});
