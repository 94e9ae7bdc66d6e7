import { describe, expect, it } from "vitest";

import { gapAt, moved, placeOf } from "./places";

describe("a list that is put into another order", () => {
  const list = ["a", "b", "c", "d"];

  it("has the moved entry where it was put", () => {
    expect(moved(list, 0, 2)).toEqual(["b", "c", "a", "d"]);
    expect(moved(list, 3, 0)).toEqual(["d", "a", "b", "c"]);
    expect(moved(list, 1, 3)).toEqual(["a", "c", "d", "b"]);
  });

  it("stays the same list where nothing is moved, or to nowhere", () => {
    for (const [from, to] of [
      [1, 1],
      [0, -1],
      [3, 4],
      [9, 0],
    ] as const) {
      expect(moved(list, from, to)).toBe(list);
    }
  });

  it("takes a dropped row into the gap that the pointer is nearest to", () => {
    // Rows of different heights: an open one is tall.
    const rows = [
      { top: 0, height: 20 },
      { top: 20, height: 100 },
      { top: 120, height: 20 },
    ];
    expect([-5, 9, 11, 69, 71, 129, 131, 500].map((y) => gapAt(rows, y))).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect(gapAt([], 5)).toBe(0);
    const drop = (from: number, y: number) => moved(["x", "y", "z"], from, placeOf(gapAt(rows, y), from));
    expect(drop(0, 500)).toEqual(["y", "z", "x"]);
    expect(drop(2, 0)).toEqual(["z", "x", "y"]);
    // Dropped just above or below itself, a row stays in its place.
    expect(drop(1, 60)).toEqual(["x", "y", "z"]);
    expect(drop(1, 80)).toEqual(["x", "y", "z"]);
  });
});
