import { expect, it } from "vitest";

import { fill, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { appOn, renderIn, shownOf } from "../../state/started.test.helper";
import { DocumentViewer } from "./DocumentViewer";

it("moves the focus to its search with every Ctrl+F, even with Caps Lock, and back when that is closed", () => {
  renderIn(appOn("connected"), <DocumentViewer source={{ type: "instructions", server: "s" }} label="Text" />);
  const rows = screen.getByRole("tree");
  const find = (key: string) => fireEvent.keyDown(rows, { key, ctrlKey: true });
  find("f");
  const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search in Text" });
  expect(document.activeElement).toBe(field);
  fill(field, "buoy");
  rows.focus();
  find("F");
  expect(document.activeElement).toBe(field);
  expect(field.selectionEnd).toBe("buoy".length);
  const close = screen.getByRole("button", { name: "Close search" });
  close.focus();
  fireEvent.click(close);
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(document.activeElement).toBe(rows);
});

it("does not copy bytes as if they were text", async () => {
  const { said, view } = await shownOf("connected", (server) => (
    <DocumentViewer source={{ type: "instructions", server }} label="Bytes" modes={["hex"]} />
  ));
  const rows = screen.getByRole("group", { name: "Bytes, text" });
  for (const key of ["A", "C"]) fireEvent.keyDown(rows, { key, ctrlKey: true });
  const messages = (): string[] => view().localNotices.map(({ title }) => title);
  await waitFor(() => expect(messages()).toEqual([expect.stringMatching(/^These bytes cannot be copied as text/)]));
  expect(said).toEqual([]);
});
