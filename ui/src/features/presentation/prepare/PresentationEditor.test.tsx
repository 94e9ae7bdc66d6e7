import { expect, it } from "vitest";

import { screen } from "../../../lib/render.test.helper";
import { renderIn, started } from "../../../state/started.test.helper";
import { PresentationEditor } from "./PresentationEditor";

it("selects the title of a new presentation, so that typing replaces it", async () => {
  const { app } = await started("presentation");
  const [first] = app.store.getState().live.presentations;
  const id = first?.id ?? "";
  const view = (isNew: boolean) => renderIn(app, <PresentationEditor presentation={id} isNew={isNew} />);
  const { unmount } = view(false);
  expect(document.activeElement).not.toBe(screen.getByLabelText("Title"));
  unmount();
  view(true);
  const title = screen.getByLabelText<HTMLInputElement>("Title");
  expect(document.activeElement).toBe(title);
  expect(title.value.slice(title.selectionStart ?? 0, title.selectionEnd ?? 0)).toBe(first?.title);
});
