import { expect, it } from "vitest";

import { fill, fireEvent, screen } from "../../lib/render.test.helper";
import { appOn, renderIn } from "../../state/started.test.helper";
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
