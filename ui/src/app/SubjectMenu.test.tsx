// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import { offerItems } from "../components/contextItems";
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
        <p>a text of it</p>
      </div>
      <p onContextMenu={(event) => offerItems(event.nativeEvent, [{ label: "Copy value", onSelect: () => undefined }])}>
        elsewhere
      </p>
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

  it("copies what is selected, above the actions", async () => {
    const { app } = await shown();
    const copy = vi.spyOn(app.actions, "copy").mockResolvedValue();
    const text = screen.getByText("a text of it");
    document.getSelection()?.setBaseAndExtent(text.firstChild ?? text, 2, text.firstChild ?? text, 6);
    fireEvent.contextMenu(text);
    const items = await screen.findAllByRole("menuitem");
    expect(items[0]?.textContent).toBe("Copy selection");
    expect(items.length).toBeGreaterThan(1);
    fireEvent.click(items[0] ?? text);
    expect(await copy.mock.calls[0]?.[0]).toBe("text");
    document.getSelection()?.removeAllRanges();
  });

  it("has what the place offers where there is no subject, and is the system's where nothing is offered", async () => {
    await shown();
    expect(fireEvent.contextMenu(document.body)).toBe(true);
    expect(fireEvent.contextMenu(screen.getByText("elsewhere"))).toBe(false);
    const items = await screen.findAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual(["Copy value"]);
  });

  it("leaves text fields to the system", async () => {
    await shown();
    const field = screen.getByRole("textbox");
    expect(fireEvent.contextMenu(field)).toBe(true);
    expect(fireEvent.keyDown(field, { key: "F10", shiftKey: true })).toBe(true);
    expect(screen.queryByRole("menu")).toBeNull();
  });
});
