import { expect, it } from "vitest";

import { fireEvent, screen, within } from "../../lib/render.test.helper";
import { shownOf } from "../../state/started.test.helper";
import { DiagnosisPanel } from "./DiagnosisPanel";

const shown = (scenario: string) => shownOf(scenario, (server) => <DiagnosisPanel server={server} />);

const items = (): HTMLElement[] => within(screen.getByRole("list", { name: "Steps" })).getAllByRole("listitem");
const item = (title: string): HTMLElement =>
  screen.getByRole("heading", { name: title, level: 2 }).closest("li") ?? document.body;

it("shows which step failed, what to do, and that the rest was not evaluated", async () => {
  const { app } = await shown("failed");
  expect(screen.getByText("Not diagnosed since Sonde started.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save as HTML" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Diagnose" }));
  await screen.findByText("First failed step: Command.");
  expect(app.store.getState().view.panel?.type).toBe("diagnosis");
  expect(screen.getByText(/1 pass, 1 fail, 8 not evaluated/)).toBeTruthy();
  expect(within(item("Command")).getByText("fail")).toBeTruthy();
  expect(within(item("Command")).getByRole("list", { name: "What to do about Command" })).toBeTruthy();
  expect(within(item("Handshake")).getByText("not evaluated")).toBeTruthy();
  expect(within(item("Handshake")).getByText("Not reached: Command failed.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Save as HTML" }));
  await screen.findByText("/home/ada/Downloads/Weather - diagnosis 2026-11-24.html");
});

it("can be cancelled, and begins with every step pending", async () => {
  const { app, server } = await shown("connecting");
  fireEvent.click(screen.getByRole("button", { name: "Diagnose" }));
  await screen.findByText(/Diagnosing: Process/);
  expect(items().filter((one) => within(one).queryByText("pending") !== null)).toHaveLength(7);
  expect(screen.getByRole("button", { name: "Diagnose again" })).toHaveProperty("disabled", true);
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await screen.findByText("Cancelled. No step failed.");
  expect(app.store.getState().live.diagnoses[server]?.state).toBe("cancelled");
});
