import { expect, it } from "vitest";

import { tableIn } from "./tableView";

const json = '{"unit":"m","rows":[{"id":3,"name":"c"},{"id":1,"name":"a"},{"id":2}]}';

it("says what there is before any row", () => {
  expect(tableIn(json)?.head).toEqual({
    member: "rows",
    columns: ["id", "name"],
    widths: [4, 6],
    longest: [
      ["3", "1", "2"],
      ["c", "a", ""],
    ],
    numeric: [true, false],
    rows: 3,
    beside: [{ key: "unit", text: "m" }],
  });
});

it("has its rows as they are arranged, and copies just those", () => {
  const view = tableIn(json);
  const sorting = { column: "id", down: false };
  expect(view?.rows(0, 10)).toEqual([
    ["3", "c"],
    ["1", "a"],
    ["2", null],
  ]);
  expect(view?.arrange({ sorting, search: "" }, 2)).toEqual({
    rows: 3,
    first: [
      ["1", "a"],
      ["2", null],
    ],
  });
  expect(view?.arrange({ sorting, search: "C" }, 2)).toEqual({ rows: 1, first: [["3", "c"]] });
  expect(view?.text("csv").text).toBe("id,name\r\n3,c\r\n");
  expect(view?.arrange({ sorting: null, search: "" }, 1).first).toEqual([["3", "c"]]);
});

it("cuts what a cell shows, and copies all of it", () => {
  const long = "x".repeat(2_000);
  const view = tableIn(
    JSON.stringify([
      { a: long, b: 1, c: null, d: { e: "x  y" } },
      { a: "", b: 2, c: 3 },
    ]),
  );
  expect(view?.rows(0, 1)[0]?.[0]).toBe(`${"x".repeat(500)}…`);
  expect(view?.text("csv").text).toContain(long);
  const cells = [0, 1, 2, 3].map((column) => view?.cell(0, column));
  expect(cells).toEqual([long, "1", "null", '{"e":"x  y"}']);
  expect([view?.cell(1, 0), view?.cell(1, 3), view?.cell(2, 0)]).toEqual(["", null, null]);
  view?.arrange({ sorting: { column: "b", down: true }, search: "" }, 1);
  expect(view?.cell(0, 1)).toBe("2");
});

it("is none where the text is none", () => {
  expect(tableIn("[1,2]")).toBeNull();
  expect(tableIn("[2026-07-28] started")).toBeNull();
});
