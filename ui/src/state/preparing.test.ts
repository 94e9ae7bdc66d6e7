import { beforeEach, describe, expect, it, vi } from "vitest";

import type { CommandName } from "../ipc/backend";
import { fakeBackend } from "../ipc/fake";
import { stepFor, preparingActions } from "./preparing";
import { presentationOf, presentationsOf, unsavedOf } from "./typedPresentations";
import { answering, openApp, settle } from "./testing/openApp";

/** Opens the window over a simulated host, with the commands that it sent and the offers to undo. */
async function open(scenario: string) {
  const instead: Partial<Record<CommandName, () => unknown>> = {};
  const { state, sent, ...opened } = await openApp(answering(fakeBackend(scenario), instead));
  const [first = ""] = state().live.presentations.map(({ id }) => id);
  const titles = (id = first) => presentationOf(state(), id)?.steps.map(({ title }) => title);
  const named = (name: CommandName) => sent.filter((one) => one.name === name);
  /** Replaces the host's result of a command from now on. */
  const answer = (name: CommandName, result: unknown) => void (instead[name] = () => result);
  return { ...opened, state, first, titles, named, answer };
}

beforeEach(() => vi.useFakeTimers());

describe("a presentation that is prepared", () => {
  it("is saved once the typing stops, and shows what was typed until then", async () => {
    const { app, state, first, named } = await open("presentation");
    for (const title of ["A", "A to", "A tour"]) {
      app.actions.get(preparingActions).changePresentation(first, (now) => ({ ...now, title }), true);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(presentationOf(state(), first)?.title).toBe("A tour");
    expect(state().live.presentations[0]?.title).toBe("A tour of the lighthouse");
    expect(named("save_presentation")).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(named("save_presentation")).toHaveLength(1);
    expect(state().live.presentations[0]?.title).toBe("A tour");
    // Presentations that the host has are not kept twice.
    expect(state().view.presentations).toEqual({});
  });

  it("keeps the title before while there is none", async () => {
    const { app, state, first } = await open("presentation");
    app.actions.get(preparingActions).changePresentation(first, (now) => ({ ...now, title: " " }), true);
    await vi.advanceTimersByTimeAsync(1000);
    expect([presentationOf(state(), first)?.title, state().live.presentations[0]?.title]).toEqual([
      " ",
      "A tour of the lighthouse",
    ]);
    const [server = ""] = state().live.order;
    app.actions.get(preparingActions).addStep(first, stepFor(state().live, server, "say_hello", "Again"));
    await settle();
    const added = state().live.presentations[0]?.steps.at(-1);
    expect(added?.title).toBe("Again");
    expect(presentationOf(state(), first)).toEqual({ ...state().live.presentations[0], title: " " });
    // The new step is saved again under its id.
    app.actions.get(preparingActions).moveStep(first, 0, 1);
    await settle();
    expect(state().live.presentations[0]?.steps.at(-1)?.id).toBe(added?.id);
    expect(presentationOf(state(), first)?.title).toBe(" ");
  });

  it("is saved at once when the window goes, and before it is given", async () => {
    const { app, state, first, named } = await open("presentation");
    app.actions.get(preparingActions).changePresentation(first, (now) => ({ ...now, title: "One" }), true);
    void app.actions.saveTyped();
    void app.actions.saveTyped();
    expect(named("save_presentation")).toHaveLength(1);
    app.actions.get(preparingActions).changePresentation(first, (now) => ({ ...now, title: "Two" }), true);
    void app.actions.get(preparingActions).startPresentation(first);
    await settle();
    expect(named("save_presentation")).toHaveLength(2);
    expect(state().live.presentations[0]?.title).toBe("Two");
    expect(state().view.giving?.presentation).toBe(first);
  });

  it("gives back a step that was removed, at its place", async () => {
    const { app, first, titles, offers } = await open("presentation");
    const before = titles();
    app.actions.get(preparingActions).removeStep(first, 1);
    expect(titles()).toEqual(before?.toSpliced(1, 1));
    expect(offers.map(({ title }) => title)).toEqual(["Step “Check the buoys” removed"]);
    offers[0]?.undo();
    await settle();
    expect(titles()).toEqual(before);
  });

  it("has its steps in the order in which they were put", async () => {
    const { app, state, first, titles } = await open("presentation");
    const [one, two, three, ...others] = titles() ?? [];
    app.actions.get(preparingActions).moveStep(first, 0, 2);
    await settle();
    expect(titles()).toEqual([two, three, one, ...others]);
    expect(state().live.presentations[0]?.steps.map(({ title }) => title)).toEqual(titles());
    app.actions.get(preparingActions).moveStep(first, 0, -1);
    expect(titles()).toEqual([two, three, one, ...others]);
  });

  it("comes back as it was typed last when its deletion is undone", async () => {
    const { app, state, first, offers } = await open("presentation");
    app.actions.get(preparingActions).openPresentation(first);
    app.actions.get(preparingActions).changePresentation(first, (now) => ({ ...now, title: "Typed last" }), true);
    void app.actions.get(preparingActions).removePresentation(first);
    await settle();
    expect(presentationsOf(state())).toEqual([]);
    expect(state().view.panel).toEqual({ type: "presentations" });
    offers[0]?.undo();
    await settle();
    expect(presentationsOf(state()).map(({ title }) => title)).toEqual(["Typed last"]);
  });

  it("is copied with steps of its own", async () => {
    const { app, state, first } = await open("presentation");
    void app.actions.get(preparingActions).duplicatePresentation(first);
    await settle();
    const [one, copy] = presentationsOf(state());
    expect(copy?.title).toBe("A tour of the lighthouse (copy)");
    expect(copy?.steps.map(({ title }) => title)).toEqual(one?.steps.map(({ title }) => title));
    expect(copy?.steps.some(({ id }) => one?.steps.some((step) => step.id === id))).toBe(false);
    expect(state().view.panel).toEqual({ type: "presentation", presentation: copy?.id });
  });
});

describe("a presentation that is saved as a file", () => {
  it("is said with its place and what it leaves out, unless the user cancelled", async () => {
    const { app, first, said, answer } = await open("presentation");
    expect(await app.actions.get(preparingActions).exportPresentation(first)).toEqual([
      "Secrets are not part of it: they are asked for where it is imported.",
    ]);
    expect(said).toEqual([expect.stringContaining("Saved as /home/ada/Downloads/A tour of the lighthouse.sonde.yaml")]);
    answer("export_presentation", { path: null, notes: ["nobody is told"] });
    expect(await app.actions.get(preparingActions).exportPresentation(first)).toEqual([]);
    expect(said).toHaveLength(1);
  });
});

describe("the presentation of the demo server", () => {
  it("is added for the server that is there, or with it", async () => {
    for (const scenario of ["first", "empty"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { app, state } = await open(scenario);
      void app.actions.get(preparingActions).addDemoPresentation();
      // oxlint-disable-next-line no-await-in-loop
      await settle();
      const [presentation] = presentationsOf(state());
      expect(state().live.order).toHaveLength(1);
      expect(presentation?.steps.map(({ server }) => server)).toEqual(state().live.order);
      expect(state().view.panel).toEqual({ type: "presentation", presentation: presentation?.id });
    }
  });
});

describe("a tool that is added", () => {
  it("goes to the only presentation with all that is saved for it", async () => {
    const { app, state, first, said } = await open("presentation");
    const [server = ""] = state().live.order;
    await app.actions.get(preparingActions).addToPresentation(server, "say_hello", "Say hello");
    await settle();
    const step = presentationOf(state(), first)?.steps.at(-1);
    expect([step?.title, step?.inputs.map(({ name }) => name)]).toEqual(["Say hello", ["To Ada", "Loudly"]]);
    expect(step?.id).not.toBe("");
    expect(said).toEqual(["Added to “A tour of the lighthouse”"]);
  });

  it("begins one where there is none, and asks where there are several", async () => {
    const none = await open("connected");
    const [server = ""] = none.state().live.order;
    void none.app.actions.get(preparingActions).addToPresentation(server, "say_hello", "Say hello");
    await settle();
    expect(presentationsOf(none.state()).map(({ steps }) => steps.length)).toEqual([1]);
    const several = await open("presentations");
    const [other = ""] = several.state().live.order;
    await several.app.actions.get(preparingActions).addToPresentation(other, "say_hello", "Say hello");
    expect(several.state().view.panel).toMatchObject({ type: "presentations", adding: { target: "say_hello" } });
    expect(several.named("save_presentation")).toHaveLength(0);
  });
});

describe("what was typed of a presentation", () => {
  it("is forgotten when the host has it, whatever ids it gave", async () => {
    const { state, first } = await open("presentation");
    const { live } = state();
    const saved = presentationOf(state(), first);
    const [server = ""] = live.order;
    if (!saved) throw new Error("there is a presentation");
    const renumbered = { ...saved, steps: saved.steps.map((step) => ({ ...step, id: "" })) };
    expect(unsavedOf({ [first]: renumbered }, live)).toEqual({});
    const longer = { ...saved, steps: [...saved.steps, stepFor(live, server, "say_hello", "Again")] };
    const typed = { [first]: longer };
    expect(unsavedOf(typed, live)).toEqual(typed);
  });
});

describe("a presentation that is added", () => {
  it("is opened as new, and one of a file is said by its title", async () => {
    const { app, state, said, answer } = await open("presentation");
    await app.actions.get(preparingActions).newPresentation();
    expect(state().view.panel).toMatchObject({ type: "presentation", isNew: true });
    answer("import_presentation", { id: "other", replaced: null });
    await app.actions.get(preparingActions).openImported("{}", "A tour\u202E", [], null);
    expect(said).toEqual(["“A tour⟨U+202E⟩” was imported"]);
    expect(state().view.panel).toEqual({ type: "presentation", presentation: "other" });
    await app.actions.get(preparingActions).openImported("{}", "A tour", [], "other");
    expect(said).toHaveLength(1);
  });
});
