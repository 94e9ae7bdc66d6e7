import { render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import { fakeBackend } from "../../../ipc/fake";
import { createApp } from "../../../state/app";
import { AppContext } from "../../../state/hooks";
import { PresentationEditor } from "./PresentationEditor";

it("selects the title of a new presentation, so that typing replaces it", async () => {
  const app = createApp(fakeBackend("presentation"), (run) => run());
  void app.start();
  await waitFor(() => expect(app.store.getState().live.presentations).not.toEqual([]));
  const [first] = app.store.getState().live.presentations;
  const id = first?.id ?? "";
  const view = (isNew: boolean) => (
    <AppContext value={app}>
      <PresentationEditor presentation={id} isNew={isNew} />
    </AppContext>
  );
  const { unmount } = render(view(false));
  expect(document.activeElement).not.toBe(screen.getByLabelText("Title"));
  unmount();
  render(view(true));
  const title = screen.getByLabelText<HTMLInputElement>("Title");
  expect(document.activeElement).toBe(title);
  expect(title.value.slice(title.selectionStart ?? 0, title.selectionEnd ?? 0)).toBe(first?.title);
});
