import { expect, it, vi } from "vitest";

import { keepKeys } from "../lib/earlyKeys";
import { LabelForm } from "../features/runs/LabelForm";
import { onSendKey } from "../features/serverRequests/answering";
import { act, fill, fireEvent, screen, waitFor } from "../lib/render.test.helper";
import { operationActions } from "../state/actions/operations";
import type { App } from "../state/app";
import { useAppState } from "../state/hooks";
import { renderIn } from "../state/started.test.helper";
import { useShortcuts } from "./useShortcuts";
import { runsSlice } from "../state/slices/runs";
import { sliceOf } from "../state/slices/slice";
import { openApp } from "../state/testing/openApp";

const runTool = vi.fn();
const sendAnswer = vi.fn();

function Page() {
  useShortcuts();
  const run = useAppState(({ live }) => Object.values(live.operations)[0]);
  const edited = useAppState(
    ({ view }) => run && sliceOf(view.perServer[run.server], runsSlice).labelling === run.operation,
  );
  return (
    <>
      <input aria-label="An argument" />
      <div onKeyDown={onSendKey}>
        <button type="button" data-send onClick={sendAnswer}>
          Send
        </button>
        {run && edited && <LabelForm operation={run} />}
      </div>
    </>
  );
}

async function page(): Promise<App> {
  runTool.mockClear();
  sendAnswer.mockClear();
  const { app } = await openApp("history");
  app.handlers.set("run_tool", runTool);
  renderIn(app, <Page />);
  return app;
}

const firstRun = (app: App) => Object.values(app.store.getState().live.operations)[0] ?? expect.fail("no run");
const send = (at: HTMLElement) => fireEvent.keyDown(at, { key: "Enter", ctrlKey: true });

it("runs the tool on Ctrl+Enter in a field of its arguments", async () => {
  await page();
  send(screen.getByRole("textbox", { name: "An argument" }));
  expect(runTool).toHaveBeenCalledOnce();
});

it("saves a note on Ctrl+Enter in it, and neither runs the tool nor sends an answer", async () => {
  const app = await page();
  const { server, operation } = firstRun(app);
  act(() => app.actions.get(operationActions).editLabel(server, operation));
  const note = await screen.findByRole("textbox", { name: "Note" });
  fill(note, "Before the release");
  send(note);
  await waitFor(() => expect(firstRun(app).label.note).toBe("Before the release"));
  await waitFor(() => expect(screen.queryByRole("form")).toBeNull());
  expect([runTool, sendAnswer].map((called) => called.mock.calls.length)).toEqual([0, 0]);
});

it("keeps a note that is not saved while its editor is out of sight", async () => {
  const app = await page();
  const { server, operation } = firstRun(app);
  act(() => app.actions.get(operationActions).editLabel(server, operation));
  fill(await screen.findByRole("textbox", { name: "Note" }), "Half a thought");
  act(() => app.actions.get(operationActions).editLabel(server, null));
  act(() => app.actions.get(operationActions).editLabel(server, operation));
  const again = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
  expect(again.value).toBe("Half a thought");
});

it("acts on keys that were pressed before it was there, and leaves those in a field alone", async () => {
  keepKeys();
  const field = document.body.appendChild(document.createElement("input"));
  expect(fireEvent.keyDown(field, { key: "a", ctrlKey: true })).toBe(true);
  field.remove();
  expect(fireEvent.keyDown(document.body, { key: "k", ctrlKey: true })).toBe(false);
  const app = await page();
  expect(app.store.getState().view.overlay).toBe("palette");
});
