import { expect, it, vi } from "vitest";

import { BackendError } from "../../../ipc/backend";
import { AppHost } from "../../../lib/apps/host";
import { act, fireEvent, screen } from "../../../lib/render.test.helper";
import { renderIn, started } from "../../../state/started.test.helper";
import { RunBody } from "../RunBody";
import { AppSection } from "./AppSection";

/** Starts an app with a finished run whose tool has an app. */
async function startedRun() {
  const opened = await started("apps");
  const { app, server, live } = opened;
  const operation = Object.values(live().operations).find(({ key }) => key === "count_boats") ?? expect.fail();
  const tool = await app.backend.call("tool_detail", { server, key: "count_boats" });
  const section = <AppSection operation={operation} tool={tool} uri="ui://harbour/boats" />;
  return { ...opened, operation, section };
}

const gone = (): Promise<never> => Promise.reject(new BackendError({ code: "not_found", message: "It is gone." }));

/** Presses a button as by key. */
function press(name: string): void {
  const button = screen.getByRole("button", { name });
  button.focus();
  fireEvent.click(button);
}

it("stays closed where the app was closed while a reload waited for it", async () => {
  const { app, section, named } = await startedRun();
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  vi.spyOn(AppHost.prototype, "teardown").mockReturnValueOnce(left).mockResolvedValue();
  renderIn(app, section);
  fireEvent.click(screen.getByRole("button", { name: "Show app" }));
  await screen.findByTitle(/^App /);
  fireEvent.click(screen.getByRole("button", { name: "Reload" }));
  fireEvent.click(screen.getByRole("button", { name: "Close app" }));
  await screen.findByRole("button", { name: "Show app" });
  await act(async () => leave());
  expect(screen.getByRole("button", { name: "Show app" })).toBeTruthy();
  expect(named("open_app")).toHaveLength(1);
});

it("keeps the focus while the pressed button gives way to others", async () => {
  const { app, section } = await startedRun();
  renderIn(app, section);
  press("Show app");
  await screen.findByTitle(/^App /);
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "App" }));
  press("Close app");
  await screen.findByRole("button", { name: "Show app" });
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "App" }));
});

it("tells the app that the result cannot be read", async () => {
  const { app, section } = await startedRun();
  const cancelled = vi.spyOn(AppHost.prototype, "setCancelled");
  app.backend.readBytes = gone;
  renderIn(app, section);
  press("Show app");
  await expect.poll(() => cancelled.mock.calls).toEqual([["The result could not be read."]]);
});

it("keeps the app of a tool that the server no longer lists", async () => {
  const { app, server, operation } = await startedRun();
  renderIn(app, <RunBody operation={operation} />);
  fireEvent.click(await screen.findByRole("button", { name: "Show app" }));
  await screen.findByTitle(/^App /);
  const { backend } = app;
  const call = backend.call.bind(backend);
  backend.call = (name, args) => (name === "tool_detail" ? gone() : call(name, args));
  await act(() => call("refresh_catalog", { server, kind: "tools" }));
  const edit = screen.getByRole<HTMLButtonElement>("button", { name: "Edit arguments" });
  await expect.poll(() => edit.disabled).toBe(true);
  expect(screen.getByTitle(/^App /)).toBeTruthy();
});
