import { describe, expect, it } from "vitest";

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
