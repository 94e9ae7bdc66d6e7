import { expect, it } from "vitest";

import type { LogDetail, LogRow } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { screen } from "../../lib/render.test.helper";
import { shownOf } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { testRow } from "./testing";
import { WireDetail } from "./WireDetail";

const detailOf = (row: LogRow) => ({ row, findings: [], summary: null, headers: [] }) as unknown as LogDetail;
const nothing = (): void => undefined;

it.each<readonly [string, Partial<LogRow>, string, boolean]>([
  ["an HTTP error page", { kind: "http", out: false, has_body: true }, "Received", true],
  ["an HTTP head", { kind: "http", bytes: 40 }, "Sent", false],
  ["a message to an app", { kind: "app", has_body: true }, "To app", true],
])("shows the direction of %s, and its body if it has one", async (_, change, direction, hasBody) => {
  const row = testRow(change);
  const backend = answering(fakeBackend("connected"), { log_detail: () => detailOf(row) });
  await shownOf(backend, (server) => (
    <WireDetail server={server} seq={row.seq} row={row} onClose={nothing} onShow={nothing} />
  ));
  await screen.findByText(new RegExp(`^${direction} · `));
  expect(screen.queryByRole("group", { name: "Body" }) !== null).toBe(hasBody);
});

it("shows a response that arrives while the request is open", async () => {
  let row = testRow({ partner: null });
  const backend = answering(fakeBackend("connected"), { log_detail: () => detailOf(row) });
  const part = (server: string) => (
    <WireDetail server={server} seq={row.seq} row={row} onClose={nothing} onShow={nothing} />
  );
  const { server, rerender } = await shownOf(backend, part);
  await screen.findByText("No response yet");
  row = testRow({ partner: 6 });
  rerender(part(server));
  await screen.findByRole("button", { name: "Go to response" });
  expect(screen.queryByText("No response yet")).toBeNull();
});
