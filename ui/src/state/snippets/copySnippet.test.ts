import { beforeEach, expect, it, vi } from "vitest";

import { fakeBackend } from "../../ipc/fake";
import { createApp } from "../app";
import { copyEntryAs, copyRunAs } from "./copySnippet";

const copied = vi.hoisted(() => [] as string[]);
vi.mock("../../lib/clipboard", () => ({
  copyText: async (text: string | Promise<string>) => {
    copied.push(await text);
    return true;
  },
}));
beforeEach(() => void copied.splice(0));

async function open() {
  const app = createApp(fakeBackend("listening"), () => undefined);
  void app.start();
  const run = await vi.waitFor(() => {
    const { operations } = app.store.getState().live;
    const found = Object.values(operations).find(
      ({ target, request_seq }) => target === "say_hello" && request_seq !== null,
    );
    if (!found) throw new Error("a run that was sent");
    return found;
  });
  return { app, run };
}

it("copies a run and its request in the wire log as the same program", async () => {
  const { app, run } = await open();
  copyRunAs("python", app, run);
  copyEntryAs("python", app, run.server, run.request_seq ?? 0);
  await vi.waitFor(() => expect(copied).toHaveLength(2));
  expect(copied[0]).toContain('client.call_tool("say_hello", {');
  expect(copied[1]).toBe(copied[0]);
});

it("copies a run whose request is in no wire log any more", async () => {
  const { app, run } = await open();
  copyRunAs("typescript", app, { ...run, request_seq: null });
  await vi.waitFor(() => expect(copied[0]).toContain('"name": "say_hello"'));
});

it("says why there is no program", async () => {
  const { app, run } = await open();
  // A line of stderr.
  copyEntryAs("typescript", app, run.server, 2);
  const notices = () => app.store.getState().view.localNotices.map(({ title }) => title);
  await vi.waitFor(() => expect(notices()).toEqual(["This entry is not a request."]));
  expect(copied).toEqual([]);
});
