import { expect, it } from "vitest";

import { hiddenOf } from "./useHiddenColumns";

const columns = [
  { left: -120, right: -20 },
  { left: -20, right: 80 },
  { left: 80, right: 180.5 },
  { left: 180, right: 280 },
];

it("counts the columns that reach over an edge", () => {
  expect(hiddenOf(columns, 0, 180)).toEqual({ left: 2, right: 1 });
  expect(hiddenOf(columns, -120, 280)).toEqual({ left: 0, right: 0 });
  expect(hiddenOf(columns, -120, 100)).toEqual({ left: 0, right: 2 });
});
