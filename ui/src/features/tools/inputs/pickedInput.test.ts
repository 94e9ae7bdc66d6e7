import { describe, expect, it } from "vitest";

import { createDocument } from "../../../schema/document";
import { savedInput } from "../../../state/testing/views";
import { pickedInput, readInputs, suggestedName } from "./pickedInput";

const schema = '{"type":"object","properties":{"name":{"type":"string"},"days":{"type":"integer"}}}';
const saved = (id: string, text: string) => savedInput({ id, name: id, arguments: text });
const inputs = readInputs([
  saved("ada", '{"name":"Ada","days":3}'),
  saved("same as ada", '{"days":3.0,"name":"Ada"}'),
  saved("no JSON", '{"name":'),
]);
const picked = (text: string, filledWith: string | null) => {
  const found = pickedInput(inputs, createDocument(schema, text), filledWith);
  return [found.picked?.id ?? null, found.changed];
};

describe("the saved input of a form", () => {
  it("is the one that it was filled with, until that is gone", () => {
    expect(picked('{"name":"Ada","days":3}', "same as ada")).toEqual(["same as ada", false]);
    expect(picked('{"name":"Grace"}', "same as ada")).toEqual(["same as ada", true]);
    expect(picked('{"name":"Grace"}', "gone")).toEqual([null, false]);
  });

  it("is else the first that says the same", () => {
    expect(picked('{ "days": 3, "name": "Ada" }', null)).toEqual(["ada", false]);
    expect(picked('{"name":"Ada","days":4}', null)).toEqual([null, false]);
    expect(picked("{}", null)).toEqual([null, false]);
  });

  it("can be a text that is no JSON", () => {
    expect(picked('{"name":', null)).toEqual(["no JSON", false]);
    expect(picked('{"name"', "no JSON")).toEqual(["no JSON", true]);
  });
});

describe("the name for values", () => {
  const name = (text: string) => suggestedName(createDocument(schema, text).root);

  it("is made of short values", () => {
    expect(name('{"name":"Ada","loud":true,"quiet":false,"days":3,"more":{"name":"x"}}')).toBe("Ada, loud, days 3");
    expect(name("{}")).toBe("");
    expect(name('["Ada"]')).toBe("");
  });

  it("leaves out what is long or would not be seen", () => {
    expect(name(`{"text":"${"long ".repeat(20)}","name":"Ada"}`)).toBe("Ada");
    expect(name('{"text":"two\\nlines","name":" "}')).toBe("");
    expect(name('{"token":"hush-hush","apiKey":"hush","access_key":1,"keyboard":"Qwerty"}')).toBe("Qwerty");
    expect(name('{"name":"\\u202Eada"}')).not.toContain("\u202E");
  });
});
