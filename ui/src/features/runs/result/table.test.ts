import { describe, expect, it } from "vitest";

import { parseJson } from "../../../schema/parse";
import { cellText, columnWidths, sortRows, tableOf, type TableData } from "./table";

function table(json: string): TableData | null {
  const parsed = parseJson(json);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return tableOf(parsed.node);
}

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
  ])("does not take %s", (_, json) => {
    expect(table(json)).toBeNull();
  });

  it("keeps the digits of numbers", () => {
    const found = table('[{"id":9007199254740993,"price":1.10}]');
    expect(cellText(found?.rows[0]?.cells.get("id"))).toBe("9007199254740993");
    expect(cellText(found?.rows[0]?.cells.get("price"))).toBe("1.10");
  });
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

describe("columnWidths", () => {
  it("follows the content within limits", () => {
    const found = table(`[{"a":1,"long":"${"x".repeat(90)}"}]`);
    expect(found && columnWidths(found)).toEqual([4, 40]);
  });
});
