import { expect, it } from "vitest";

import type { ListSide } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { fireEvent, screen } from "../../lib/render.test.helper";
import { answering } from "../../state/testing/openApp";
import { shownOf } from "../../state/started.test.helper";
import { CompareListsPanel } from "./CompareListsPanel";

it("hides the old comparison while the lists are compared again", async () => {
  const host = fakeBackend("connected");
  let times = 0;
  const never = new Promise<never>(() => undefined);
  const compare_lists = (args: never) => (times++ === 0 ? host.call("compare_lists", args) : never);
  await shownOf(answering(host, { compare_lists }), (server) => {
    const side = (when: ListSide["when"]): ListSide => ({ server, revision: null, when });
    return <CompareListsPanel left={side("accepted")} right={side("now")} />;
  });
  await screen.findByRole("button", { name: "Copy as Markdown" });
  fireEvent.click(screen.getByRole("button", { name: "Compare again" }));
  expect(screen.queryByRole("button", { name: "Copy as Markdown" })).toBeNull();
  expect(screen.getByText("Reading and comparing the lists…")).toBeTruthy();
});
