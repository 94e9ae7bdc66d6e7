import { expect, it } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { fireEvent, screen } from "../lib/render.test.helper";
import { renderIn, started } from "../state/started.test.helper";
import { SubjectMenu } from "./SubjectMenu";

it("leaves the menu of the browser to text fields", async () => {
  const { app } = await started(fakeBackend("connected"));
  renderIn(
    app,
    <>
      <SubjectMenu />
      <p>Nothing here</p>
      <input aria-label="Field" />
    </>,
  );
  expect(fireEvent.contextMenu(screen.getByText("Nothing here"))).toBe(false);
  expect(fireEvent.contextMenu(document.body)).toBe(false);
  expect(screen.queryByRole("menu")).toBeNull();
  expect(fireEvent.contextMenu(screen.getByLabelText("Field"))).toBe(true);
});
