import { describe, expect, it } from "vitest";

import { createDocument, toText } from "./document";
import { promptProblems, promptSchema } from "./promptSchema";

const argument = (name: string, required = false) => ({ name, title: null, description: null, required });

describe("the arguments of a prompt", () => {
  it("are texts in the order of the server", () => {
    const schema = promptSchema([
      { ...argument("b", true), title: "B", description: "d" },
      argument("1"),
      argument("a"),
    ]);
    expect(schema).toBe(
      '{"type":"object","properties":{"b":{"type":"string","title":"B","description":"d"},"1":{"type":"string"},"a":{"type":"string"}},"required":["b"]}',
    );
    expect(toText(createDocument(schema))).toBe("{}");
    expect(promptSchema([])).toBe('{"type":"object","properties":{},"required":[]}');
  });

  it("are asked for where they are missing, and told where they are no text", () => {
    const all = [argument("a", true), argument("b/c")];
    expect(promptProblems(all, '{"a":""}')).toEqual([]);
    expect(promptProblems(all, "{}")).toMatchObject([{ instancePath: "", keyword: "required", missing: "a" }]);
    expect(promptProblems(all, '{"a":"x","b/c":3}')).toMatchObject([{ instancePath: "/b~1c", keyword: "type" }]);
    expect(promptProblems(all, "[]")).toHaveLength(1);
  });
});
