import { expect, it } from "vitest";

import type { CommandArgs } from "../../ipc/backend";
import type { LogViewState } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { act, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { wireActions } from "../../state/actions/wire";
import { sliceOf } from "../../state/slices/slice";
import { wireSlice } from "../../state/slices/wire";
import { shownOf } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { WirePane } from "./WirePane";

it("shows the request of a run among its entries, whatever hid it and however long the search takes", async () => {
  const host = fakeBackend("history");
  let searching = false;
  let asked = false;
  let found: LogViewState | undefined;
  const { app, server, live, view } = await shownOf(
    answering(host, {
      filter_log: async (args: CommandArgs<"filter_log">) => {
        found = await host.call("filter_log", args);
        return { ...found, searching };
      },
      log_index: (args: CommandArgs<"log_index">) => {
        asked = searching;
        return searching ? null : host.call("log_index", args);
      },
    }),
    (of) => <WirePane server={of} />,
  );
  const ui = () => sliceOf(view().perServer[server], wireSlice);
  const actions = app.actions.get(wireActions);
  const run =
    Object.values(live().operations).find(({ target }) => target === "say_hello") ?? expect.fail("no run of say_hello");

  fireEvent.click(await screen.findByRole("button", { name: "Errors" }));
  searching = true;
  act(() => actions.showOperationFrames(run.operation));
  await waitFor(() => expect(asked).toBe(true));
  // A task later, all that follows from the response has run.
  await act(() => new Promise((done) => setTimeout(done)));
  expect(ui().operation).toBe(run.operation);
  searching = false;
  act(() => found && actions.adoptLog({ ...found, changes: found.changes + 1 }));
  await waitFor(() => expect(ui().selection?.seq).toBe(run.request_seq));
  expect(ui().operation).toBe(run.operation);
});

it("opens the group of an entry that no filter finds, once the search has ended", async () => {
  const host = fakeBackend("listening");
  let found: LogViewState | undefined;
  const { app, server, view, named } = await shownOf(
    answering(host, {
      filter_log: async (args: CommandArgs<"filter_log">) => {
        found = await host.call("filter_log", args);
        return { ...found, searching: true };
      },
    }),
    (of) => <WirePane server={of} />,
  );
  const ui = () => sliceOf(view().perServer[server], wireSlice);
  const actions = app.actions.get(wireActions);
  const endSearch = () => act(() => found && actions.adoptLog({ ...found, changes: found.changes + 1 }));
  const folded = 4;

  fireEvent.click(await screen.findByRole("button", { name: "Errors" }));
  await waitFor(() => expect(found).toBeDefined());
  endSearch();
  act(() => actions.showLogEntry(server, folded));
  await waitFor(() => expect(named("filter_log")).toHaveLength(2));
  await waitFor(() => expect(ui().target).toBe(folded));
  endSearch();
  await waitFor(() => expect(ui().selection?.seq).toBe(folded));
  expect(named("open_log_group")).toMatchObject([{ seq: folded, open: true }]);
});
