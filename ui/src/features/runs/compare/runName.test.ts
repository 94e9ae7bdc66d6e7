import { expect, it } from "vitest";

import type { OperationView } from "../../../ipc/bindings";
import { inOrder, startOf } from "./runName";

const run = (operation: number, started_at: number) => ({ operation, started_at }) as OperationView;

it("puts the run that was started first at the left, whichever was chosen first", () => {
  const [older, newer] = [run(8, 1000), run(7, 2000)];
  const compared = { type: "compare", first: 8, second: 7 };
  expect(inOrder(older, newer)).toEqual(compared);
  expect(inOrder(newer, older)).toEqual(compared);
  expect(inOrder(run(2, 1000), run(1, 1000))).toEqual({ type: "compare", first: 1, second: 2 });
});

it("says the day of a run that was not started today", () => {
  const now = new Date(2026, 10, 22, 12).getTime();
  expect(startOf(run(1, now), now)).toBe("12:00:00");
  expect(startOf(run(1, now - 86_400_000), now, 12)).toBe("Yesterday, 12:00:00.000");
});
