import { expect, it } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { act, screen } from "../lib/render.test.helper";
import { renderIn, started } from "../state/started.test.helper";
import { NoticesBar } from "./NoticesBar";

it("shows a failure that is about a server there, and where it came", async () => {
  const { app } = await started(fakeBackend("connected"));
  const [first = "", second = "", third = ""] = app.store.getState().live.order;
  renderIn(app, <NoticesBar />);
  const select = (server: string) => act(() => app.actions.selectServer(server));
  const shown = () => screen.queryAllByRole("alert").length;
  select(first);
  await act(() => app.actions.command("tool_detail", { server: second, key: "nothing" }));
  expect(shown()).toBe(1);
  select(second);
  expect(shown()).toBe(1);
  select(third);
  expect(shown()).toBe(0);
});
