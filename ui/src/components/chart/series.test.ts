import { describe, expect, it } from "vitest";

import { parsed } from "../../schema/testing/walk";
import { digitsOf, range, seriesOf, ticks } from "./series";

const series = (value: unknown) => seriesOf(parsed(JSON.stringify(value)));

describe("a series", () => {
  it("is an array of numbers, in the order in which they came", () => {
    expect(series([3, 1, 2])).toEqual({
      ordered: true,
      of: null,
      labels: ["1", "2", "3"],
      places: [0, 1, 2],
      columns: [{ name: "", values: [3, 1, 2], texts: ["3", "1", "2"] }],
      others: [],
      beside: [],
    });
    expect(series({ values: [1, 2, 3], unit: "m" })?.columns).toMatchObject([{ name: "values", values: [1, 2, 3] }]);
  });

  it("is rows with a time, whichever column it is", () => {
    const found = series({
      readings: [
        { wind: 7, at: "2026-03-01" },
        { wind: 9, at: "2026-03-02" },
        { wind: null, at: "2026-03-04" },
        { wind: 8, at: "2026-03-05" },
      ],
    });
    expect(found).toMatchObject({ ordered: true, of: "at", columns: [{ name: "wind", values: [7, 9, null, 8] }] });
    const [first = 0, second = 0, third = 0] = found?.places ?? [];
    expect((third - second) / (second - first)).toBe(2);
  });

  it("is rows whose first number only grows", () => {
    const rows = [0, 1, 2].map((hour) => ({ hour, wave: hour * 2, wind: 5 }));
    expect(series(rows)).toMatchObject({ ordered: true, of: "hour", places: [0, 1, 2] });
    expect(series(rows)?.columns.map(({ name }) => name)).toEqual(["wave", "wind"]);
    // An unsorted column does not order the positions.
    expect(series([3, 1, 2].map((hour) => ({ hour, wave: 1 })))).toMatchObject({ of: null });
  });

  it("is arrays beside each other, as weather services write them", () => {
    const hourly = { time: ["2026-03-01T00:00", "2026-03-01T01:00", "2026-03-01T02:00"], temperature: [1, 2, 3] };
    expect(series({ latitude: 52.5, hourly })).toMatchObject({ ordered: true, of: "time" });
    expect(series({ hourly: { ...hourly, rain: [1, 2] } })).toBeNull();
    const found = series({ latitude: 52.5, hourly: { ...hourly, unit: "C", sky: ["clear", null, "clear"] } });
    expect(found?.others).toEqual([{ name: "sky", texts: ["clear", "", "clear"] }]);
    expect(found?.beside.map(({ key }) => key)).toEqual(["latitude", "unit"]);
  });

  it("has names where there is no order", () => {
    const ships = ["Albatross", "Bounty", "Cutty Sark"].map((name, at) => ({ id: at, name, length: 20 + at }));
    expect(series(ships)).toMatchObject({
      ordered: false,
      of: "name",
      labels: ["Albatross", "Bounty", "Cutty Sark"],
      columns: [{ name: "length" }],
    });
  });

  it("is none without numbers, with names twice, or with too few of them", () => {
    expect(
      series([
        { day: 1, kind: "high" },
        { day: 1, kind: "low" },
        { day: 2, kind: "high" },
      ]),
    ).toBeNull();
    expect(series([{ a: "x" }, { a: "y" }, { a: "z" }])).toBeNull();
    expect(series([1, 2])).toBeNull();
    expect(series(["a", 1, 2])).toBeNull();
    expect(series({ text: "none" })).toBeNull();
    expect(series(7)).toBeNull();
    expect(series(Array.from({ length: 2_001 }, (_, at) => at))).toBeNull();
    expect(series(Array.from({ length: 30 }, (_, at) => ({ name: `n${at}`, size: at })))).toBeNull();
  });
});

describe("the axis of values", () => {
  it("has round steps around all values", () => {
    expect(ticks(0, 10)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(0.1, 0.32)).toEqual([0.1, 0.15, 0.2, 0.25, 0.3, 0.35]);
    expect(ticks(-7, 13)).toEqual([-10, -5, 0, 5, 10, 15]);
    expect(ticks(5, 5)).toEqual([5, 6]);
    expect(ticks(0, 0)).toEqual([0, 0.2]);
  });

  it("begins at zero unless that would hide the differences", () => {
    expect(range([1, 2, null, 3])[0]).toBe(0);
    expect(range([101, 102, 103])[0]).toBe(101);
    expect(range([-3, 2])[0]).toBeLessThan(-2);
  });
});

it("has as many digits as tell the steps of an axis apart", () => {
  expect(digitsOf([0, 1, 2])).toBe(6);
  expect(digitsOf(ticks(1_000_001, 1_000_004))).toBe(8);
  expect(digitsOf([0, 5e-324])).toBe(6);
  expect(digitsOf([1e300, 1.000_000_000_000_01e300])).toBe(12);
});
