import type { ReactNode } from "react";
import { expect, it } from "vitest";

import type { CommandArgs } from "../../ipc/backend";
import type { ServerId } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { act, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { wireActions } from "../../state/actions/wire";
import { shownOf } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { AutoScroll } from "./LogRows";
import { useLogList } from "./useLogList";
import { NO_FILTER } from "./wireWords";

function NewRows({ server }: { readonly server: ServerId }): ReactNode {
  const log = useLogList(server, NO_FILTER, { rowHeight: 24 });
  return (
    <>
      <AutoScroll log={log} />
      <output>
        {log.fresh} of {log.seen}
      </output>
    </>
  );
}

it("counts the new rows only while it does not follow and newer entries have come", async () => {
  const host = fakeBackend("history");
  const { app, live, named } = await shownOf(
    answering(host, {
      open_log: async (args: CommandArgs<"open_log">) => ({
        ...(await host.call("open_log", args)),
        rows: 50,
        last: 50,
      }),
      log_index: ({ seq }: CommandArgs<"log_index">) => seq - 1,
    }),
    (of) => <NewRows server={of} />,
  );
  const shows = (text: string) => waitFor(() => expect(screen.getByRole("status").textContent).toBe(text));
  const toggle = () => fireEvent.click(screen.getByRole("checkbox", { name: "Auto-scroll" }));
  const record = () =>
    act(() => {
      const log = Object.values(live().logs)[0] ?? expect.fail("no log");
      const { rows, last, total, changes } = log;
      const next = { rows: rows + 2, last: last + 2, total: total + 2, changes: changes + 1 };
      app.actions.get(wireActions).adoptLog({ ...log, ...next });
    });

  await shows("0 of 50");
  record();
  await shows("0 of 52");
  toggle();
  await shows("0 of 52");
  expect(named("log_index")).toEqual([]);
  record();
  await shows("2 of 54");
  toggle();
  await shows("0 of 54");
});
