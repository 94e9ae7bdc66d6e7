import { expect, it } from "vitest";

import { fitColumns, totalWords, wholeRows } from "./plainColumns";

const high = 1_000;

it("gives columns the width of their content first, and what is left in equal parts", () => {
  expect(fitColumns([100, 50, 50], 5, 30, { width: 260, height: high })).toEqual({
    share: 1,
    columns: [120, 70, 70],
  });
});

it("shrinks the type before a table has to be scrolled, and no further than can be read", () => {
  expect(fitColumns([100, 100], 5, 30, { width: 160, height: high })).toEqual({ share: 0.8, columns: [80, 80] });
  expect(fitColumns([100, 100], 5, 30, { width: 60, height: high })).toEqual({ share: 0.75, columns: [75, 75] });
});

it("shrinks the type where only few rows would be in sight, unless there are no more", () => {
  expect(fitColumns([10], 20, 100, { width: 100, height: 560 }).share).toBe(0.8);
  expect(fitColumns([10], 3, 100, { width: 100, height: 560 }).share).toBe(1);
});

it("ends with a whole row", () => {
  expect(wholeRows(20, 30, 32, 200)).toBe(32 + 5 * 30);
  expect(wholeRows(2, 30, 32, 200)).toBe(32 + 2 * 30);
});

it("says of a total that not all of it is shown", () => {
  expect(totalWords("total", "60", 20)).toBe("60, 20 shown");
  expect(totalWords("totalCount", "60", 20)).toBe("60, 20 shown");
  expect(totalWords("total", "20", 20)).toBeNull();
  expect(totalWords("total_price", "60", 20)).toBeNull();
  expect(totalWords("total", "60 EUR", 20)).toBeNull();
});
