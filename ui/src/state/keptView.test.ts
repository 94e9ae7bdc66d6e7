import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Backend } from "../ipc/backend";
import { createDocument, toText } from "../schema/document";
import { rootSchema } from "../schema/root";
import type { Positions, ScrollPositions } from "../lib/scrollPositions";
import { createApp, type App } from "./app";
import { presentationActions } from "./presentations";
import { signInSlice } from "./slices/signIn";

/** A host that stores the view over several pages. */
function host(scroll?: ScrollPositions): { load: () => Promise<App>; kept: () => string | null } {
  let kept: string | null = null;
  const backend: Backend = {
    call(name, args) {
      if (name === "keep_view") kept = (args as { view: string }).view;
      return Promise.resolve((name === "kept_view" ? kept : null) as never);
    },
    readBytes: () => Promise.resolve(new ArrayBuffer(0)),
    subscribe: () => Promise.resolve(),
  };
  const load = async (): Promise<App> => {
    const app = createApp(backend, () => undefined, scroll);
    await app.start();
    return app;
  };
  return { load, kept: () => kept };
}

describe("what the page looks like", () => {
  beforeEach(() => void vi.useFakeTimers());
  it("is the same for a page that is loaded again", async () => {
    const { load } = host();
    const first = await load();
    first.actions.selectTab("s", "wire");
    first.actions.setSlice("s", signInSlice, { redirect: { signIn: "one", text: "http://half" } });
    first.actions.filterServers("har");
    await vi.runAllTimersAsync();

    const second = await load();
    expect(second.store.getState().view.perServer["s"]).toMatchObject({
      tab: "wire",
      slices: { sign_in: { redirect: { signIn: "one", text: "http://half" } } },
    });
    expect(second.store.getState().view.serverFilter).toBe("har");
  });

  it("has what was typed as an answer, in a form that can be edited further", async () => {
    const { load } = host();
    const first = await load();
    const schema = '{"properties":{"name":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"string"}}}';
    const answers = { 7: { document: createDocument(schema, '{"name":"A'), raw: "{}", sampling: null } };
    first.store.setState({ view: { ...first.store.getState().view, answers } });
    await vi.runAllTimersAsync();

    const document = (await load()).store.getState().view.answers[7]?.document ?? expect.fail("the answer is there");
    expect(toText(document)).toBe('{"name":"A');
    expect(document.problem).not.toBeNull();
    expect(rootSchema(document.source).ok).toBe(true);
  });

  it("goes on with presentations where they were left, with what was run", async () => {
    const { load } = host();
    const first = await load();
    first.actions.get(presentationActions).givePresentation("p", 2);
    first.actions.get(presentationActions).give({ type: "run", step: "one", run: 7 });
    first.actions.get(presentationActions).leavePresentation();
    await vi.runAllTimersAsync();

    const second = await load();
    expect(second.store.getState().view).toMatchObject({ giving: null, lastGiven: "p" });
    second.actions.get(presentationActions).givePresentation("p");
    expect(second.store.getState().view.giving).toMatchObject({ step: 2, steps: { one: { run: 7, document: null } } });
  });

  it("stands where it stood", async () => {
    let scrolled = (): void => undefined;
    const restored: Positions[] = [];
    const { load } = host({
      read: () => ({ Tools: 120 }),
      restore: (positions) => restored.push(positions),
      subscribe: (listener) => (scrolled = listener),
    });
    await load();
    scrolled();
    await vi.runAllTimersAsync();
    await load();
    expect(restored).toEqual([{ Tools: 120 }]);
  });

  it("goes to the host without drafts, and only when it has changed", async () => {
    const { load, kept } = host();
    const app = await load();
    expect(kept()).toBeNull();
    app.store.setState({ view: { ...app.store.getState().view, overlay: "shortcuts" } });
    await vi.runAllTimersAsync();
    const text = kept();
    expect(text).not.toBeNull();
    expect(JSON.parse(text ?? "{}")).not.toHaveProperty("drafts");
    expect(JSON.parse(text ?? "{}")).not.toHaveProperty("overlay");
  });
});
