import { describe, expect, it } from "vitest";

import { createDocument } from "../../../schema";
import { sentUnshown } from "./sentValues";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    secret: { type: "string", format: "password" },
    count: { type: "integer" },
    kind: { const: "voyage" },
    room: { enum: ["small", "large"] },
    crew: { type: "array", items: { type: "string" } },
    ship: { type: "object", properties: { name: { type: "string" }, flag: {} } },
    filter: { not: { type: "string" } },
    pay: {
      oneOf: [
        { title: "Cash", type: "object", properties: { coins: { type: "integer" } }, required: ["coins"] },
        { title: "Card", type: "object", properties: { number: { type: "string" } }, required: ["number"] },
      ],
    },
  },
};

/** Returns the texts shown beside the form of these values. */
function textsBeside(text: string, of: object = schema): string[] {
  return sentUnshown(createDocument(JSON.stringify(of), text)).map((each) => `${each.name}: ${each.text}`);
}

describe("what is sent beside what the form shows", () => {
  it("is nothing where the form shows it all", () => {
    expect(textsBeside("{}")).toEqual([]);
    expect(textsBeside('{"name":"Ada","secret":"x","count":3,"room":"small","crew":["a","b"]}')).toEqual([]);
    expect(textsBeside('{"ship":{"name":"Aurora"},"pay":{"number":"12"}}')).toEqual([]);
  });

  it("is what has no field", () => {
    expect(textsBeside('{"name":"Ada","bcc":"eve@example.com"}')).toEqual(["Bcc: eve@example.com"]);
    expect(textsBeside('{"a":1}', { type: "object" })).toEqual(["A: 1"]);
    expect(textsBeside('{"a":1}', { type: "string" })).toEqual(["A: 1"]);
    // The field shows the last member of a repeated name.
    expect(textsBeside('{"name":"Eve","name":"Ada"}')).toEqual(["Name: Eve"]);
    expect(textsBeside("[1,2]")).toEqual(["Everything: [1,2]"]);
  });

  it("is what a field does not show whole", () => {
    expect(textsBeside('{"name":"Ada\u200b"}')).toEqual(["Name: Ada\u200b"]);
    const long = "a".repeat(200);
    expect(textsBeside(JSON.stringify({ name: long }))).toEqual([`Name: ${long}`]);
    // A prefilled value that only JSON can hold.
    expect(textsBeside('{"filter":{"x":1}}')).toEqual(["Filter: X: 1"]);
    expect(textsBeside('{"name":7}')).toEqual(["Name: 7"]);
    expect(textsBeside('{"ship":{"name":"Aurora","flag":{"colour":"red"}}}')).toHaveLength(1);
    expect(textsBeside('{"kind":"voyage"}')).toHaveLength(1);
    expect(textsBeside('{"pay":{"number":"1\u202e2"}}')).toHaveLength(1);
    expect(textsBeside(JSON.stringify({ crew: Array.from({ length: 60 }, () => "a") }))).toHaveLength(1);
  });
});
