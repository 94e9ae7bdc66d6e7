import { expect, it } from "vitest";

import { templateInputs } from "./templateInputs";

const table = { name: "table", explode: false, prefix: null };
const filter = { name: "filter", explode: true, prefix: null };

it("leaves out what nothing was typed for", () => {
  expect(templateInputs([table, filter], {})).toEqual([]);
  expect(templateInputs([table, filter], { table: "", filter: "\n\n", other: "x" })).toEqual([]);
});

it("takes a text as it was typed", () => {
  expect(templateInputs([table], { table: " a=b, c\n" })).toEqual([
    { name: "table", value: { type: "text", value: " a=b, c\n" } },
  ]);
});

it("takes lines as a list, or as a map where each has a name", () => {
  expect(templateInputs([filter], { filter: "red\n\na=b" })).toEqual([
    { name: "filter", value: { type: "list", value: ["red", "a=b"] } },
  ]);
  expect(templateInputs([filter], { filter: "sort=name\npage=\nx=1=2" })).toEqual([
    {
      name: "filter",
      value: {
        type: "map",
        value: [
          ["sort", "name"],
          ["page", ""],
          ["x", "1=2"],
        ],
      },
    },
  ]);
  expect(templateInputs([filter], { filter: "=a" })).toEqual([
    { name: "filter", value: { type: "list", value: ["=a"] } },
  ]);
});

it("takes a variable for no member that every object has", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    expect(templateInputs([{ name, explode: true, prefix: null }], {})).toEqual([]);
  }
});
