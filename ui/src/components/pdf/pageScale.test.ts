import { expect, it } from "vitest";

import { LONGEST_SIDE, pageScale } from "./pageScale";

it("draws a usual page twice as large, and of any other no more pixels than fit", () => {
  expect(pageScale(595, 842)).toBeCloseTo(LONGEST_SIDE / 842);
  expect(pageScale(200, 100)).toBe(2);
  for (const [width, height] of [
    [1e9, 1],
    [1, 14_400],
    [14_400, 14_400],
  ] as const) {
    const scale = pageScale(width, height);
    expect(Math.max(width, height) * scale).toBeCloseTo(LONGEST_SIDE);
  }
  for (const odd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(pageScale(odd, odd)).toBe(2);
});
