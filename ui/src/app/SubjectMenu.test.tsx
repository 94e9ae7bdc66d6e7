// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import { fakeBackend } from "../ipc/fake";
import { createApp } from "../state/app";
import { AppContext } from "../state/hooks";
import { subjectMark } from "../state/view";
import { SubjectMenu } from "./SubjectMenu";

afterEach(cleanup);

async function shown() {
  const app = createApp(fakeBackend("connected"), (run) => run());
  await act(() => app.start());
  await waitFor(() => expect(app.store.getState().live.ready).toBe(true));
  const [server = ""] = app.store.getState().live.order;
  render(
    <AppContext value={app}>
      <div {...subjectMark({ type: "server", server })}>
        <button type="button">the server</button>
        <input aria-label="a field" />
      </div>
      <SubjectMenu />
    </AppContext>,
  );
  return { app, button: screen.getByRole("button") };
}

describe("the context menu", () => {
  it("has the actions of what is under the pointer, and does them", async () => {
    const { app, button } = await shown();
    const duplicate = vi.spyOn(app.actions, "duplicateServer").mockResolvedValue();
    fireEvent.contextMenu(button);
    fireEvent.click(await screen.findByRole("menuitem", { name: "Duplicate" }));
    expect(duplicate).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  });

  it("opens on the keys for what has the focus, and gives the focus back", async () => {
    const { button } = await shown();
    button.focus();
    fireEvent.keyDown(button, { key: "F10", shiftKey: true });
    const menu = await screen.findByRole("menu", { name: "Actions" });
    await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true));
    fireEvent.keyDown(menu, { key: "Escape" });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("leaves text fields to the system", async () => {
    await shown();
    const field = screen.getByRole("textbox");
    expect(fireEvent.contextMenu(field)).toBe(true);
    expect(fireEvent.keyDown(field, { key: "F10", shiftKey: true })).toBe(true);
    expect(screen.queryByRole("menu")).toBeNull();
  });
});
