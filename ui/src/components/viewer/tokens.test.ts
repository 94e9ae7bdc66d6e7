import { describe, expect, it } from "vitest";

import { nodePath } from "./nodePath";
import { tokensOf } from "./tokens";

describe("tokensOf", () => {
  it("tells keys, strings, numbers and words apart", () => {
    const kinds = tokensOf('  "a \\" b": ["x: y", -1.5e3, true, null],').filter((token) => token.kind !== "mark");
    expect(kinds).toEqual([
      { text: '"a \\" b"', kind: "key" },
      { text: '"x: y"', kind: "string" },
      { text: "-1.5e3", kind: "number" },
      { text: "true", kind: "word" },
      { text: "null", kind: "word" },
    ]);
  });

  it("loses no character", () => {
    for (const line of ['"open string', "n t f -", '{"k" : 1}', "}, {", ""]) {
      expect(
        tokensOf(line)
          .map((token) => token.text)
          .join(""),
      ).toBe(line);
    }
  });
});

describe("nodePath", () => {
  const node = {
    type: "node",
    node: 0,
    kind: "object",
    value: "",
    truncated: false,
    children: 1,
    expanded: true,
  } as const;
  it("writes a path as code would", () => {
    expect(
      nodePath([
        { ...node, depth: 0, key: null, index: null },
        { ...node, depth: 1, key: "users", index: null },
        { ...node, depth: 2, key: null, index: 3 },
        { ...node, depth: 3, key: "first name", index: null },
      ]),
    ).toBe('$.users[3]["first name"]');
  });
});
