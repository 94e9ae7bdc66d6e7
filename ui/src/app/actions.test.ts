import { beforeEach, describe, expect, it, vi } from "vitest";
import { catalogActions } from "../state/actions/catalogs";

import type { App } from "../state/app";
import { presentationActions } from "../state/presentations";
import { openApp, settle } from "../state/testing/openApp";
import { actionsOn, actOnKey, allKeys, selectedSubjects } from "./actions";
import type { Row } from "./actionRow";
import { actionTable } from "./actionTable";

type Groups = readonly (readonly (Row | "separator")[])[];

const rowsIn = (groups: Groups) => groups.flat().filter((row): row is Row => row !== "separator");
const rows = rowsIn(Object.values(actionTable) as Groups);

/** Opens the window over a simulated host. */
const open = async (scenario: string): Promise<App> => (await openApp(scenario)).app;

beforeEach(() => vi.useFakeTimers());

describe("the table of actions", () => {
  it("has each id and each key once", () => {
    const ids = rows.map((row) => row.id);
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    // During a presentation only its own keys work.
    const { giving, ...others } = actionTable;
    for (const [groups, most] of [
      [Object.values(others), 15],
      [[giving], 5],
    ] as const) {
      const keys = rowsIn(groups as Groups).flatMap((row) => row.keys ?? []);
      expect(keys.length).toBeGreaterThan(most);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it("lists all its keys", () => {
    const listed = allKeys().flatMap(({ keys }) => keys);
    for (const row of rows) expect(listed).toEqual(expect.arrayContaining([...(row.keys ?? [])]));
    expect(listed).toContain("Alt+Up");
  });
});

describe("an action", () => {
  const titles = (app: App): string[][] => {
    const [server] = selectedSubjects(app);
    if (!server) throw new Error("a server is selected");
    return actionsOn(server, app).map((group) => group.filter(({ enabled }) => enabled).map(({ title }) => title));
  };

  it("is there where it can be done", async () => {
    expect(titles(await open("first"))[0]).toEqual(["Connect", "Diagnose connection"]);
    expect(titles(await open("connected"))[0]).toEqual([
      "Restart",
      "Disconnect",
      "Diagnose connection",
      "Refresh tools",
    ]);
    expect(titles(await open("connected"))[2]).toEqual(["Move down"]);
  });

  it("is done by its keys, unless something covers the window or a component has to do it", async () => {
    const app = await open("connected");
    const press = (keys: string, covered = false) => actOnKey((each) => each === keys, covered, app);
    expect(press("Mod+K", true)).toBeNull();
    press("Mod+K")?.(0);
    expect(app.store.getState().view.overlay).toBe("palette");
    press("Mod+1…9")?.(2);
    expect(app.store.getState().view.server).toBe(app.store.getState().live.order[1]);
    expect(press("Mod+Enter")).toBeNull();
    const run = vi.fn();
    app.handlers.set("run_tool", run);
    press("Mod+Enter")?.(0);
    expect(run).toHaveBeenCalledOnce();
  });

  it("subscribes to the resource on show, and ends that", async () => {
    const app = await open("resources");
    const { order } = app.store.getState().live;
    app.actions.selectServer(order[0] ?? "");
    app.actions.selectTab(order[0] ?? "", "resources");
    await vi.advanceTimersByTimeAsync(500);
    app.actions.get(catalogActions).showResourceKind(order[0] ?? "", "resources");
    void app.actions.command("refresh_catalog", { server: order[0] ?? "", kind: "resources" });
    await vi.advanceTimersByTimeAsync(500);
    const subscribing = () => {
      const shown =
        selectedSubjects(app).find((subject) => subject.type === "item") ?? expect.fail("a resource is on show");
      return actionsOn(shown, app)
        .flat()
        .find(({ title }) => ["Subscribe", "Unsubscribe"].includes(title));
    };
    for (const [title, count] of [
      ["Subscribe", 1],
      ["Unsubscribe", 0],
    ] as const) {
      expect(subscribing()?.title).toBe(title);
      subscribing()?.run();
      await vi.advanceTimersByTimeAsync(100);
      expect(app.store.getState().live.subscriptions[order[0] ?? ""]?.subscriptions.length).toBe(count);
    }
    // The key of the second resource with the same URI is not a URI.
    const key = "station://barograph";
    const detail = await app.backend.call("resource_detail", { server: order[0] ?? "", kind: "resources", key });
    const call = vi.spyOn(app.backend, "call").mockResolvedValueOnce({ ...detail, uri: "station://twice" });
    subscribing()?.run();
    await vi.advanceTimersByTimeAsync(100);
    expect(call).toHaveBeenCalledWith("subscribe_resource", { server: order[0], uri: "station://twice" });
  });

  it("says so when there is nothing to undo", async () => {
    const app = await open("connected");
    const titles: string[] = [];
    app.toasts.manager[" subscribe"](({ action, options }) => action === "add" && titles.push(options.title));
    const undo = (): void => actOnKey((each) => each === "Mod+Z", false, app)?.(0);
    undo();
    expect(titles).toEqual(["Nothing to undo"]);
    const bringBack = vi.fn();
    app.toasts.offerUndo("Run deleted", { undo: bringBack });
    undo();
    expect(bringBack).toHaveBeenCalledOnce();
    expect(titles).toEqual(["Nothing to undo", "Run deleted"]);
  });

  it("is one of the presentation alone while that is given", async () => {
    const app = await open("presentation");
    const press = (keys: string, covered = false) => actOnKey((each) => each === keys, covered, app);
    const giving = () => app.store.getState().view.giving;
    expect(press("PageDown")).toBeNull();
    press("F5")?.(0);
    expect(giving()?.step).toBe(0);
    for (const keys of ["Mod+K", "/", "Alt+1", "Mod+Shift+S", "Mod+,"]) expect(press(keys)).toBeNull();
    press("PageDown")?.(0);
    press("ArrowRight")?.(0);
    expect(giving()?.step).toBe(2);
    press("F5")?.(0);
    expect(giving()?.step).toBe(0);
    // In a presentation, zooming changes the presentation's size.
    const { zoom, presentation_zoom: before } = app.store.getState().live.settings;
    press("Mod+Plus", true)?.(0);
    await settle();
    const settings = app.store.getState().live.settings;
    expect(settings.zoom).toBe(zoom);
    expect(settings.presentation_zoom).toBeGreaterThan(before);
    press("F1")?.(0);
    expect(giving()?.open).toBe("keys");
    press("Escape")?.(0);
    expect(giving()?.open).toBeNull();
    press("Escape")?.(0);
    expect(giving()).toBeNull();
    expect(press("Mod+K")).not.toBeNull();
  });

  it("acts everywhere only for the keys of a presenter's remote", async () => {
    const app = await open("presentation");
    app.actions.get(presentationActions).givePresentation();
    const everywhere = (keys: string) =>
      actOnKey(
        (each) => each === keys,
        false,
        app,
        (row) => row.everywhere,
      );
    for (const keys of ["PageDown", "PageUp"]) expect(everywhere(keys)).not.toBeNull();
    for (const keys of ["ArrowRight", "ArrowLeft", "O", "N", "F5", "?", "Escape"]) expect(everywhere(keys)).toBeNull();
  });
});

it("keeps only runs with a response as checks", async () => {
  const app = await open("history");
  const isKept = (type: string): boolean => {
    const [run] = Object.values(app.store.getState().live.operations).filter(({ outcome }) => outcome?.type === type);
    if (!run) throw new Error(`a run ended with ${type}`);
    const actions = actionsOn({ type: "run", operation: run.operation }, app).flat();
    return actions.find(({ title }) => title === "Keep as a check…")?.enabled ?? false;
  };
  expect(["result", "protocol_error", "cancelled"].map(isKept)).toEqual([true, true, false]);
});
