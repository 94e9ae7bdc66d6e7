import { expect, it } from "vitest";

import { drawing } from "./drawing";

it("draws a flood anew for each hundredth", () => {
  expect([1, 2, 150, 199].map(drawing)).toEqual([1, 2, 150, 199]);
  expect(drawing(100_000)).toBe(drawing(100_100));
  expect(drawing(100_000)).not.toBe(drawing(102_000));
});
