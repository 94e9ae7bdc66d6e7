import { expect, it } from "vitest";

import type { LogRow } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { runsSlice } from "../../state/slices/runs";
import { sliceOf } from "../../state/slices/slice";
import { started, renderIn } from "../../state/started.test.helper";
import { ConsoleDetail } from "./ConsoleDetail";
import { NO_FILTER } from "./wireWords";

it("leads from what a rule answered to the request and to the run", async () => {
  const backend = fakeBackend("request_rules");
  const { app, server } = await started(backend);
  const filter = { ...NO_FILTER, kinds: ["rule" as const] };
  const line = await waitFor(async (): Promise<LogRow> => {
    const { view, epoch } = await backend.call("open_log", { server, filter });
    const [row] = await backend.call("log_rows", { view, epoch, from: 0, count: 1 });
    if (!row) throw new Error("nothing was answered by a rule yet");
    return row;
  });
  renderIn(app, <ConsoleDetail server={server} seq={line.seq} onClose={() => undefined} />);
  expect(await screen.findByText("Answered by rule for forms: declined (elicitation/create)")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Go to request" }));
  const shown = app.store.getState().view.perServer[server];
  expect(shown?.tab).toBe("wire");
  fireEvent.click(screen.getByRole("button", { name: "Go to run" }));
  await waitFor(() =>
    expect(sliceOf(app.store.getState().view.perServer[server], runsSlice).selected).toBe(line.operation),
  );
});

it("shows the backend's reason for an entry that is gone", async () => {
  const { app, server } = await started(fakeBackend("connected"));
  renderIn(app, <ConsoleDetail server={server} seq={9999} onClose={() => undefined} />);
  expect(await screen.findByText("This entry is no longer stored.")).toBeTruthy();
});
