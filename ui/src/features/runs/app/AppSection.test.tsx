import { expect, it, vi } from "vitest";

import { AppHost } from "../../../lib/apps/host";
import { act, fireEvent, screen } from "../../../lib/render.test.helper";
import { renderIn, started } from "../../../state/started.test.helper";
import { AppSection } from "./AppSection";

it("stays closed where the app was closed while a reload waited for it", async () => {
  const { app, server, live, named } = await started("apps");
  const operation = Object.values(live().operations).find(({ key }) => key === "count_boats");
  if (!operation) throw new Error("there is one");
  const tool = await app.backend.call("tool_detail", { server, key: "count_boats" });
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  vi.spyOn(AppHost.prototype, "teardown").mockReturnValueOnce(left).mockResolvedValue();
  renderIn(app, <AppSection operation={operation} tool={tool} uri="ui://harbour/boats" />);
  fireEvent.click(screen.getByRole("button", { name: "Show app" }));
  await screen.findByTitle(/^App /);
  fireEvent.click(screen.getByRole("button", { name: "Reload" }));
  fireEvent.click(screen.getByRole("button", { name: "Close app" }));
  await screen.findByRole("button", { name: "Show app" });
  await act(async () => leave());
  expect(screen.getByRole("button", { name: "Show app" })).toBeTruthy();
  expect(named("open_app")).toHaveLength(1);
});
