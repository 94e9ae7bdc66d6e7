import { expect, it } from "vitest";

import { fill, fireEvent, screen } from "../../../lib/render.test.helper";
import { shownOf } from "../../../state/started.test.helper";
import { InputList } from "./InputList";

it("keeps the focus in the name of an input that is renamed, and shows a name that is undone", async () => {
  const { offers } = await shownOf("presentation", (server) => (
    <InputList server={server} tool="say_hello" onClose={() => undefined} />
  ));
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Name of To Ada" });
  field.focus();
  fill(field, "To Grace");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(await screen.findByRole("textbox", { name: "Name of To Grace" })).toBe(field);
  expect(document.activeElement).toBe(field);
  offers[0]?.undo();
  await screen.findByRole("textbox", { name: "Name of To Ada" });
  expect(field.value).toBe("To Ada");
});
