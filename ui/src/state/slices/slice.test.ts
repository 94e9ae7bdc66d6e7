import { expect, it } from "vitest";

import { initialServerUi } from "../view";
import { sliceOf, withSlice, type Slice } from "./slice";

const tide: Slice<{ readonly height: number; readonly unit: string }> = {
  name: "tide",
  initial: { height: 0, unit: "m" },
};
const wind: Slice<{ readonly knots: number }> = { name: "wind", initial: { knots: 3 } };

it("is its initial state until it is changed, whatever other slices are", () => {
  expect(sliceOf(undefined, tide)).toBe(tide.initial);
  const ui = { ...initialServerUi, slices: withSlice(initialServerUi, wind, { knots: 12 }) };
  expect(sliceOf(ui, tide)).toBe(tide.initial);
  const changed = { ...ui, slices: withSlice(ui, tide, { height: 2 }) };
  expect([sliceOf(changed, tide), sliceOf(changed, wind)]).toEqual([{ height: 2, unit: "m" }, { knots: 12 }]);
});
