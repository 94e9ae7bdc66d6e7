import { expect, it, vi } from "vitest";

import type { CommandArgs } from "../../../ipc/backend";
import { fakeBackend } from "../../../ipc/fake";
import { fill, fireEvent, screen } from "../../../lib/render.test.helper";
import { answering } from "../../../state/testing/openApp";
import { shownOf } from "../../../state/started.test.helper";
import { FindTool } from "./FindTool";

it("adds no tool of an older search by Enter", async () => {
  const host = fakeBackend("connected");
  const never = new Promise<never>(() => undefined);
  const catalog_rows = (args: CommandArgs<"catalog_rows">) =>
    args.search === "" ? host.call("catalog_rows", args) : never;
  const onPick = vi.fn();
  await shownOf(answering(host, { catalog_rows }), () => <FindTool onPick={onPick} onClose={() => undefined} />);
  const field = screen.getByRole("combobox");
  await screen.findByRole("option", { selected: true });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onPick).toHaveBeenCalledTimes(1);
  fill(field, "hello");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onPick).toHaveBeenCalledTimes(1);
});
