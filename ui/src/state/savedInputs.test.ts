import { beforeEach, describe, expect, it, vi } from "vitest";

import { fromText, toText } from "../schema/document";
import { checkActions } from "./actions/checks";
import { draftActions } from "./actions/drafts";
import { checksIn } from "./checks";
import { inputsOf, savedInputActions } from "./savedInputs";
import { draftKey } from "./view";
import { inputsSlice } from "./slices/inputs";
import { itemsSlice } from "./slices/items";
import { sliceOf } from "./slices/slice";
import { openApp, settle } from "./testing/openApp";

/** Opens the window over a simulated host, with the offers to undo. */
async function open(scenario: string, tool: string) {
  const { app, state, server, offers } = await openApp(scenario);
  const detail = await app.backend.call("tool_detail", { server, key: tool });
  await app.actions.get(draftActions).openDraft(server, tool, detail.input_schema ?? "{}");
  const inputs = () => inputsOf(state().live, server, tool);
  const draft = () => {
    const found = state().view.drafts[draftKey(server, tool)] ?? expect.fail("the draft is open");
    return found;
  };
  const type = (text: string) =>
    app.actions.get(draftActions).changeDraft(server, tool, fromText(draft().document, text));
  return { app, state, server, inputs, draft, type, offers };
}

beforeEach(() => vi.useFakeTimers());

describe("a saved input", () => {
  it("fills the form of its tool, and what was typed comes back", async () => {
    const { app, state, server, inputs, draft, type, offers } = await open("presentation", "say_hello");
    type('{"name":"Grace"}');
    const loudly = inputs()[1]?.id ?? "";
    await app.actions.get(savedInputActions).fillFrom(loudly);
    expect([toText(draft().document), draft().input]).toEqual(['{"name":"Ada","loud":true}', loudly]);
    expect(sliceOf(state().view.perServer[server], itemsSlice).tool).toBe("say_hello");
    offers[0]?.undo();
    expect([toText(draft().document), draft().input]).toEqual(['{"name":"Grace"}', null]);
  });

  it("is kept as a check, whose arguments fill the form again", async () => {
    const { app, state, server, inputs, draft, type, offers } = await open("presentation", "say_hello");
    const input = inputs()[1] ?? expect.fail("the scenario has two");
    await app.actions.get(checkActions).keepInput(input);
    await settle();
    const check = checksIn(state().live.checks[server]).at(-1);
    expect(check).toMatchObject({ name: input.name, tool: "say_hello" });
    type('{"name":"Grace"}');
    if (check) await app.actions.get(savedInputActions).fillFromCheck(server, check);
    expect([toText(draft().document), draft().input]).toEqual(['{"name":"Ada","loud":true}', null]);
    offers.at(-1)?.undo();
    expect(toText(draft().document)).toBe('{"name":"Grace"}');
  });

  it("is no longer what the form was filled with after a reset", async () => {
    const { app, server, inputs, draft } = await open("presentation", "say_hello");
    await app.actions.get(savedInputActions).fillFrom(inputs()[1]?.id ?? "");
    app.actions.get(draftActions).resetDraft(server, "say_hello");
    expect(draft().input).toBeNull();
    app.actions.get(draftActions).undoReplacement(server, "say_hello");
    expect(draft().input).toBe(inputs()[1]?.id);
  });

  it("is made of what is in the form, and updated with it", async () => {
    const { app, server, inputs, draft, type, offers } = await open("presentation", "say_hello");
    type('{"name":"Grace"}');
    expect(await app.actions.get(savedInputActions).saveFormAs(server, "say_hello", "To Grace", null)).toBe(true);
    await settle();
    const saved = inputs().at(-1);
    expect(saved).toMatchObject({ name: "To Grace", arguments: '{"name":"Grace"}', private: false });
    expect(draft().input).toBe(saved?.id);
    type('{"name":"Grace Hopper"}');
    await app.actions.get(savedInputActions).updateInput(saved?.id ?? "");
    await settle();
    expect(inputs().at(-1)?.arguments).toBe('{"name":"Grace Hopper"}');
    offers.at(-1)?.undo();
    await settle();
    expect(inputs().at(-1)?.arguments).toBe('{"name":"Grace"}');
  });

  it("is updated without a change to what is typed meanwhile", async () => {
    const { app, inputs, draft, type } = await open("presentation", "say_hello");
    const loudly = inputs()[1]?.id ?? "";
    await app.actions.get(savedInputActions).fillFrom(loudly);
    const updated = app.actions.get(savedInputActions).updateInput(loudly);
    type('{"name":"Grace"}');
    await updated;
    expect([toText(draft().document), draft().input]).toEqual(['{"name":"Grace"}', loudly]);
  });

  it("of a tool with a password is private", async () => {
    const { app, server, inputs, type } = await open("presentations", "radio_login");
    type('{"user":"grace","secret":"hush"}');
    await app.actions.get(savedInputActions).saveFormAs(server, "radio_login", "Hers", null);
    await settle();
    expect(inputs().map((input) => [input.name, input.private])).toEqual([
      ["My login", true],
      ["Hers", true],
    ]);
  });

  it("can be made of a run without touching the form", async () => {
    const { app, state, server, inputs, draft, type } = await open("history", "say_hello");
    type('{"name":"typed"}');
    const [operation = 0] = (state().live.operationOrder[server] ?? []).filter(
      (number) => state().live.operations[number]?.key === "say_hello",
    );
    await app.actions.get(savedInputActions).nameValuesOf(operation, '{"name":"Ada"}');
    expect(sliceOf(state().view.perServer[server], inputsSlice).open).toEqual({
      type: "save",
      tool: "say_hello",
      text: '{"name":"Ada"}',
    });
    await app.actions.get(savedInputActions).saveFormAs(server, "say_hello", "Of the run", '{"name":"Ada"}');
    await settle();
    expect(inputs().map((input) => input.arguments)).toEqual(['{"name":"Ada"}']);
    expect([toText(draft().document), draft().input]).toEqual(['{"name":"typed"}', null]);
  });

  it("moves among those of its tool, and gets its name back", async () => {
    const { app, inputs, offers } = await open("presentation", "say_hello");
    const names = () => inputs().map(({ name }) => name);
    const first = inputs()[0]?.id ?? "";
    await app.actions.get(savedInputActions).shiftInput(first, -1);
    await settle();
    expect(names()).toEqual(["To Ada", "Loudly"]);
    await app.actions.get(savedInputActions).shiftInput(first, 1);
    await settle();
    expect(names()).toEqual(["Loudly", "To Ada"]);
    await app.actions.get(savedInputActions).renameInput(first, "Quietly");
    await settle();
    expect(names()).toEqual(["Loudly", "Quietly"]);
    offers.at(-1)?.undo();
    await settle();
    expect(names()).toEqual(["Loudly", "To Ada"]);
  });
});
