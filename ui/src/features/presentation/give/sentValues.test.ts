import { describe, expect, it } from "vitest";

import { chooseBranch, removeField } from "../../../schema/actions";
import { createDocument, type FormDocument } from "../../../schema/document";
import { NULL, type JsonNode } from "../../../schema/node";
import { planField } from "../../../schema/planner";
import { innerUnion } from "../../../schema/planunion";
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
    expect(textsBeside("[1,2]", { type: "object" })).toEqual(["Everything: [1,2]"]);
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

describe("passwords", () => {
  const password = { type: "string", format: "password" };
  const login = { type: "object", properties: { user: { type: "string" }, password } };

  /** Returns the texts shown beside the form of a value with the member `more`, so that no field shows it whole. */
  const textsOf = (value: object, of: object) => textsBeside(JSON.stringify({ value }), { properties: { value: of } });

  it("are left out at every depth", () => {
    expect(textsOf({ user: "Ada", password: "hush", more: "\u200b" }, login)).toEqual([
      "Value: User: Ada, More: \u200b",
    ]);
    const list = { type: "array", items: { $ref: "#/properties/login" } };
    const values = '{"value":[{"user":"\u200b","password":"hush"},{"password":"hush"}]}';
    expect(textsBeside(values, { properties: { value: list, login } })).toEqual(["Value: User: \u200b"]);
    const union = {
      oneOf: [
        { ...login, required: ["user"] },
        { type: "object", required: ["token"] },
      ],
    };
    expect(textsOf({ user: "\u200b", password: "hush" }, union)).toEqual(["Value: User: \u200b"]);
    const map = { type: "object", additionalProperties: password };
    expect(textsOf({ a: "hush\u200b", b: 7 }, map)).toEqual([]);
  });

  it("are left out once a condition changes the alternatives around the chosen ones", () => {
    const number = { type: "number" };
    const open = { type: "object", properties: { user: { type: "string" }, password: { type: "string" } } };
    const account = { oneOf: [open, login] };
    const when = (oneOf: object[]) => ({ properties: { value: { oneOf } } });
    const schema = {
      type: "object",
      if: { required: ["more"] },
      then: when([number, account]),
      else: when([account, number]),
    };
    const text = '{"more":1,"value":{"user":"\u200b","password":"hush"}}';
    const document = createDocument(JSON.stringify(schema), text);
    const { source } = document;
    const unionAt = (of: JsonNode | undefined) => {
      const plan = planField(source, of ?? NULL, undefined);
      return plan.kind === "union" ? plan : expect.fail("no union");
    };
    const root = planField(source, source.root ?? NULL, document.root);
    const field = root.kind === "object" ? root.properties.find(({ name }) => name === "value")?.schema : undefined;
    const union = unionAt(field);
    const branch = union.branches[1] ?? expect.fail("no branch");
    const outer = chooseBranch(document, ["value"], "", union, 1);
    const chosen = chooseBranch(outer, ["value"], innerUnion("", branch), unionAt(branch.schema), 1);
    const textsAfter = (of: FormDocument) => sentUnshown(removeField(of, ["more"])).map((each) => each.text);
    expect(textsAfter(outer)).toEqual(["User: \u200b, Password: hush"]);
    expect(textsAfter(chosen)).toEqual(["User: \u200b"]);
  });

  it("are left out of arguments with alternatives", () => {
    const schema = { type: "object", oneOf: [login, { type: "object", required: ["token"] }] };
    expect(textsBeside('{"user":"Ada","password":"hush"}', schema)).toEqual(["User: Ada"]);
  });

  it("hide values in which they cannot be told from the rest", () => {
    const hidden = "Not shown: it may contain a password.";
    expect(textsOf(["Ada", "hush"], login)).toEqual([`Value: ${hidden}`]);
    expect(textsOf({ a: "hush" }, { writeOnly: true })).toEqual([`Value: ${hidden}`]);
    expect(textsBeside('{"login":{"password":"hush"', { properties: { login } })).toEqual([`Everything: ${hidden}`]);
  });
});
