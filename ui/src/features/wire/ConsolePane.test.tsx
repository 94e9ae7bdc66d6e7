import { expect, it } from "vitest";

import type { CommandArgs } from "../../ipc/backend";
import { fakeBackend } from "../../ipc/fake";
import { act, fireEvent, screen, waitFor, within } from "../../lib/render.test.helper";
import { sliceOf } from "../../state/slices/slice";
import { wireSlice } from "../../state/slices/wire";
import { shownOf } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { ConsolePane } from "./ConsolePane";
import { testRow } from "./testing";

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

it("moves over unread lines at once, whose late response does not replace a newer selection", async () => {
  const host = fakeBackend("history");
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  const { view, server } = await shownOf(
    answering(host, {
      open_log: async (args: CommandArgs<"open_log">) => ({ ...(await host.call("open_log", args)), rows: 1000 }),
      log_index: ({ seq }: CommandArgs<"log_index">) => seq - 1,
      log_rows: async ({ from, count }: CommandArgs<"log_rows">) => {
        if (from === 0) await held;
        return Array.from({ length: count }, (_, i) =>
          testRow({ seq: from + i + 1, kind: "stderr", preview: `line ${from + i}` }),
        );
      },
    }),
    (of) => <ConsolePane server={of} />,
  );
  const list = screen.getByRole("listbox");
  const press = (key: string) => fireEvent.keyDown(list, { key });
  const selected = () =>
    within(list)
      .getAllByRole("option")
      .flatMap((each) => (each.getAttribute("aria-selected") === "true" ? each.dataset["row"] : []));
  const follows = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Auto-scroll" }).checked;
  const opened = () => {
    press("Enter");
    return sliceOf(view().perServer[server], wireSlice).target;
  };

  await within(list).findByText("line 999");
  press("Home");
  expect(selected()).toEqual(["0"]);
  expect(follows()).toBe(false);
  expect(opened()).toBeNull();
  press("ArrowDown");
  expect(selected()).toEqual(["1"]);
  await waitFor(() => expect(opened()).toBe(2));
  press("Home");
  press("End");
  await act(async () => {
    release();
    // A task later, all that follows from the response has run.
    await new Promise((done) => setTimeout(done));
  });
  expect(selected()).toEqual(["999"]);
  expect(follows()).toBe(true);
  expect(opened()).toBe(1000);
});
