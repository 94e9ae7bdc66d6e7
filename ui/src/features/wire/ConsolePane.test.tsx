import { expect, it } from "vitest";

import { fireEvent, screen, waitFor, within } from "../../lib/render.test.helper";
import { sliceOf } from "../../state/slices/slice";
import { wireSlice } from "../../state/slices/wire";
import { shownOf } from "../../state/started.test.helper";
import { ConsolePane } from "./ConsolePane";

it("keeps the selection on its line under another filter, and selects none in place of a hidden one", async () => {
  const { view, server } = await shownOf("history", (of) => <ConsolePane server={of} />);
  const list = screen.getByRole("listbox");
  const lines = () => within(list).getAllByRole("option");
  const line = (text: string) => lines().find(({ textContent }) => textContent?.includes(text)) ?? expect.fail(text);
  const selected = () => lines().filter((each) => each.getAttribute("aria-selected") === "true");
  const active = () => document.getElementById(list.getAttribute("aria-activedescendant") ?? "");
  const toggle = () => fireEvent.click(screen.getByRole("button", { name: "Non-JSON output" }));

  await waitFor(() => fireEvent.click(line("Welcome")));
  toggle();
  await waitFor(() => expect(lines()).toHaveLength(1));
  await waitFor(() => expect(active()).toBe(line("Welcome")));
  expect(selected()).toEqual([line("Welcome")]);
  toggle();
  await waitFor(() => fireEvent.click(line("listening")));
  toggle();
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(selected()).toEqual([]);
  toggle();
  await waitFor(() => expect(active()).toBe(line("listening")));
  expect(selected()).toEqual([line("listening")]);
  fireEvent.keyDown(list, { key: "Enter" });
  expect(sliceOf(view().perServer[server], wireSlice).target).toBe(3);
});
