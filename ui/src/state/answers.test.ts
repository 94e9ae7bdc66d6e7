import { describe, expect, it } from "vitest";

import { toText } from "../schema/document";
import { shallowProblems } from "../schema/shallow";
import { newAnswer } from "./answers";
import { serverRequest } from "./testing/views";

const form = (schema: unknown) =>
  newAnswer(serverRequest({ schema: typeof schema === "string" ? schema : JSON.stringify(schema) }));
const to = (method: string): unknown => JSON.parse(newAnswer(serverRequest({ method })).raw);

describe("an answer", () => {
  it("begins with every default, digit for digit", () => {
    const schema = `{"type":"object","properties":{
      "name":{"type":"string"},"big":{"type":"integer","default":9007199254740993},
      "colours":{"type":"array","items":{"type":"string"},"default":["red"]},
      "sure":{"type":"boolean","default":false}},"required":["name"]}`;
    const { document } = form(schema);
    expect(document && toText(document)).toBe('{"big":9007199254740993,"colours":["red"],"sure":false}');
  });

  it("begins empty where the schema is none", () => {
    const { document } = form("not a schema");
    expect(document && toText(document)).toBe("{}");
  });

  it("to what is no form begins with the shape of its method", () => {
    expect(newAnswer(serverRequest()).document).toBeNull();
    expect(to("roots/list")).toEqual({ roots: [] });
    expect(to("sampling/createMessage")).toMatchObject({ role: "assistant" });
    expect(to("x/y")).toEqual({});
  });

  it("is looked at before it is sent", () => {
    const { document } = form({
      type: "object",
      properties: { "a/b": { type: "integer", default: "three" }, c: { type: "string", default: "ok" } },
      required: ["c", "d"],
    });
    if (!document) throw new Error("this is a form");
    expect(shallowProblems(document)).toMatchObject([
      { instancePath: "", keyword: "required", missing: "d" },
      { instancePath: "/a~1b", keyword: "properties" },
    ]);
  });
});
