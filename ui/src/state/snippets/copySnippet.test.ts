import { beforeEach, expect, it, vi } from "vitest";

import { fakeBackend } from "../../ipc/fake";
import { createApp, type App } from "../app";
import { copyEntryAs, copyRunAs } from "./copySnippet";

const copied: string[] = [];

beforeEach(() => {
  copied.splice(0);
  vi.stubGlobal(
    "ClipboardItem",
    class extends Map<string, Promise<Blob>> {
      constructor(parts: Record<string, Promise<Blob>>) {
        super(Object.entries(parts));
      }
    },
  );
  const write = async ([item]: readonly Map<string, Promise<Blob>>[]): Promise<void> => {
    copied.push((await (await item?.get("text/plain"))?.text()) ?? "");
  };
  vi.stubGlobal("navigator", { clipboard: { write } });
});
async function open() {
  const app = createApp(fakeBackend("listening"), () => undefined);
  void app.start();
  const sent = () =>
    Object.values(app.store.getState().live.operations).find(
      ({ target, request_seq }) => target === "say_hello" && request_seq !== null,
    );
  await expect.poll(sent).toBeDefined();
  const run = sent() ?? expect.fail("a run that was sent");
  return { app, run };
}

it("copies a run and its request in the wire log as the same program", async () => {
  const { app, run } = await open();
  copyRunAs("python", app, run);
  copyEntryAs("python", app, run.server, run.request_seq ?? 0);
  await expect.poll(() => copied).toHaveLength(2);
  expect(copied[0]).toContain('client.call_tool("say_hello", {');
  expect(copied[1]).toBe(copied[0]);
});

/** Makes these the arguments of every run, as they are without its secrets. */
function redactTo(app: App, text: string): void {
  const read = app.backend.readBytes.bind(app.backend);
  vi.spyOn(app.backend, "readBytes").mockImplementation(async (source) =>
    source.type === "redacted_arguments" ? new TextEncoder().encode(text).buffer : read(source),
  );
}

it("copies the arguments of a run without its secrets", async () => {
  const { app, run } = await open();
  redactTo(app, '{"name":"‹secret 3fa9c1›"}');
  copyRunAs("python", app, run);
  await expect.poll(() => copied[0]).toContain(`os.environ["SECRET_3fa9c1"]`);
});

it("copies a run whose request is in no wire log any more", async () => {
  const { app, run } = await open();
  copyRunAs("typescript", app, { ...run, request_seq: null });
  await expect.poll(() => copied[0]).toContain('"name": "say_hello"');
});

it("says why there is no program", async () => {
  const { app, run } = await open();
  // A line of stderr.
  copyEntryAs("typescript", app, run.server, 2);
  const notices = () => app.store.getState().view.localNotices.map(({ title }) => title);
  await expect.poll(notices).toEqual(["This entry is not a request."]);
  redactTo(app, '{"id":‹secret 3fa9c1›}');
  copyRunAs("python", app, run);
  await expect.poll(() => notices()[1]).toContain("a secret outside of a text");
  expect(copied).toEqual([]);
});
