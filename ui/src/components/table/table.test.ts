import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parsed } from "../../schema/testing/walk";
import { cellText, columnWidths, filterRows, sortRows, tableOf } from "./table";

const table = (json: string) => tableOf(parsed(json));

describe("tableOf", () => {
  it("takes an array of flat objects", () => {
    const found = table('[{"a":1,"b":"x"},{"a":2,"c":null}]');
    expect(found?.columns).toEqual(["a", "b", "c"]);
    expect(found?.rows).toHaveLength(2);
  });

  it("takes an object with exactly one such array and keeps what stands beside it", () => {
    const found = table('{"total":2,"users":[{"id":1},{"id":2}],"tags":["x"]}');
    expect(found?.member).toBe("users");
    expect(found?.beside.map((each) => each.key)).toEqual(["total", "tags"]);
  });

  it.each([
    ["two such arrays", '{"a":[{"x":1}],"b":[{"y":1}]}'],
    ["an array of scalars", "[1,2,3]"],
    ["an empty array", "[]"],
    ["objects beside scalars", '[{"a":1},2]'],
    ["empty objects", "[{},{}]"],
    ["mostly nested values", '[{"a":{"x":1},"b":[1],"c":1}]'],
    ["objects that share no keys", '[{"a":1},{"b":1},{"c":1},{"d":1}]'],
    ["a scalar", "5"],
    ["pictures", '{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}'],
  ])("does not take %s", (_, json) => {
    expect(table(json)).toBeNull();
  });

  it("keeps the digits of numbers", () => {
    const found = table('[{"id":9007199254740993,"price":1.10}]');
    expect(cellText(found?.rows[0]?.cells.get("id"))).toBe("9007199254740993");
    expect(cellText(found?.rows[0]?.cells.get("price"))).toBe("1.10");
  });
});

it("shows no Base64 in a cell, and still finds and copies it", () => {
  const data = "aGk1".repeat(60);
  const cell = table(JSON.stringify([{ name: "a", data }]))?.rows[0]?.cells.get("data");
  expect(cellText(cell)).toBe("Data, 180 bytes");
  expect(cellText(cell, Infinity)).toBe(data);
});

describe("sortRows", () => {
  it("sorts numbers by value beyond what floats can tell apart", () => {
    const found = table('[{"n":9007199254740993},{"n":9007199254740992},{"n":10}]');
    const sorted = sortRows(found?.rows ?? [], { column: "n", down: false });
    expect(sorted.map((row) => row.index)).toEqual([2, 1, 0]);
  });

  it("keeps missing cells last in both directions", () => {
    const rows = table('[{"n":1,"k":1},{"k":1},{"n":2,"k":1}]')?.rows ?? [];
    expect(sortRows(rows, { column: "n", down: false }).map((row) => row.index)).toEqual([0, 2, 1]);
    expect(sortRows(rows, { column: "n", down: true }).map((row) => row.index)).toEqual([2, 0, 1]);
  });
});

describe("sortRows of anything", () => {
  const value = fc.oneof(
    fc.bigInt().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => String(number === 0 ? 0 : number)),
    fc.constantFrom("1e999", "-1e999", "1e-999", "0.0", "-0", "9007199254740993", "9007199254740993.5"),
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom("null", "true", "[1]", '{"a":1}'),
  );

  it("keeps all rows, in an order that is the same wherever it begins", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const rows = table(`[${values.map((one) => `{"v":${one},"k":1,"l":1}`).join(",")}]`)?.rows ?? [];
        const sorting = { column: "v", down: false };
        const sorted = sortRows(rows, sorting);
        expect(new Set(sorted)).toEqual(new Set(rows));
        const moved = [...rows.slice(1), ...rows.slice(0, 1)];
        expect(sortRows(moved, sorting)).toEqual(sorted);
      }),
    );
  });

  it("puts numbers before text, and turns both around", () => {
    const rows = table('[{"v":"b"},{"v":2},{"v":"10"},{"v":-1e3},{"v":"9"}]')?.rows ?? [];
    expect(sortRows(rows, { column: "v", down: false }).map((row) => row.index)).toEqual([3, 1, 4, 2, 0]);
    expect(sortRows(rows, { column: "v", down: true }).map((row) => row.index)).toEqual([0, 2, 4, 1, 3]);
  });
});

describe("filterRows", () => {
  const found = table(
    '[{"port":"Bergen","depth":12.50},{"port":"Oslo","depth":9},{"port":null,"depth":{"deep":"BERGEN"}}]',
  );
  const places = (search: string) => (found ? filterRows(found, search).map((row) => row.index) : null);

  it("finds every word in some cell, whatever the case", () => {
    expect(places("bergen")).toEqual([0, 2]);
    expect(places("12.50 BERG")).toEqual([0]);
    expect(places("bergen oslo")).toEqual([]);
  });

  it("shows all rows where nothing is searched for", () => {
    expect(places("  ")).toEqual([0, 1, 2]);
  });
});

describe("columnWidths", () => {
  it("follows the content within limits", () => {
    const found = table(`[{"a":1,"long":"${"x".repeat(90)}"}]`);
    expect(found && columnWidths(found)).toEqual([4, 40]);
  });
});
