import { describe, expect, it } from "vitest";

import { createDocument, toText } from "../schema/document";
import { openAsJson } from "../schema/actions";
import { memberOf } from "../schema/node";
import { planField } from "../schema/planner";
import { shallowProblems } from "../schema/shallow";
import { newAnswer } from "./answers";
import { serverRequest } from "./testing/views";

const titled = [
  { const: "#f00", title: "Red" },
  { const: "#0f0", title: "Green" },
];

/** Every kind of property that a protocol version allows, with its field and options. */
const kinds: readonly (readonly [string, Record<string, unknown>, string, readonly string[]])[] = [
  ["string", { type: "string", default: "a" }, "text", []],
  ["email", { type: "string", format: "email", default: "a@b.example" }, "text", []],
  ["number", { type: "number", default: 1.5 }, "number", []],
  ["integer", { type: "integer", default: 3 }, "number", []],
  ["boolean", { type: "boolean", default: false }, "boolean", []],
  ["untitled enum", { type: "string", enum: ["#f00", "#0f0"], default: "#0f0" }, "choice", ["#f00", "#0f0"]],
  [
    "enumNames (2025-06-18)",
    { type: "string", enum: ["#f00", "#0f0"], enumNames: ["Red", "Green"], default: "#0f0" },
    "choice",
    ["Red", "Green"],
  ],
  ["titled enum", { type: "string", oneOf: titled, default: "#0f0" }, "choice", ["Red", "Green"]],
  [
    "untitled multi-select",
    { type: "array", items: { type: "string", enum: ["#f00", "#0f0"] }, maxItems: 1, default: ["#0f0"] },
    "many",
    ["#f00", "#0f0"],
  ],
  ["titled multi-select", { type: "array", items: { anyOf: titled }, default: ["#0f0"] }, "many", ["Red", "Green"]],
];

const schemaOf = (properties: Record<string, unknown>): string => JSON.stringify({ type: "object", properties });

describe("a form of the server", () => {
  it.each(kinds)("has a field with its default for: %s", (_, schema, kind, labels) => {
    const { document } = newAnswer(serverRequest({ schema: schemaOf({ value: schema }) }));
    if (!document) throw new Error("this is a form");
    expect(JSON.parse(toText(document))).toEqual({ value: schema["default"] });
    expect(shallowProblems(document)).toEqual([]);
    const field =
      memberOf(memberOf(document.source.root ?? undefined, "properties"), "value") ?? expect.fail("no field");
    const plan = planField(document.source, field, undefined);
    expect(plan.kind).toBe(kind);
    expect("options" in plan ? plan.options.map(({ label }) => label) : []).toEqual(labels);
  });

  it.each([
    [{ type: "string", format: "email" }, ["a@b.example", "a@localhost"], ["a", "a@", "a b@c.example", "a@b..c"]],
    [{ type: "string", format: "uri" }, ["https://a.example/b", "urn:a:b"], ["a.example", "https:", "https://a b"]],
    [{ type: "string", format: "date" }, ["2024-02-29", "2025-12-31"], ["2025-02-29", "2025-13-01", "31.12.2025"]],
    [
      { type: "string", format: "date-time" },
      ["2025-12-31T23:59:60Z", "2025-12-31T23:59:00.5+02:00"],
      ["2025-12-31T23:59:00", "2025-12-31", "2025-12-31T24:00:00Z"],
    ],
    [{ type: "string", format: "something-else" }, ["anything"], []],
    [{ type: "array", minItems: 1, maxItems: 1, items: { anyOf: titled } }, [["#f00"]], [[], ["#f00", "#0f0"], ["x"]]],
    [{ type: "string", oneOf: titled }, ["#f00"], ["Red", ""]],
  ])("says what does not fit %j", (schema, right, wrong) => {
    const problems = (value: unknown) =>
      shallowProblems(createDocument(schemaOf({ value: schema }), JSON.stringify({ value })));
    for (const value of right) expect(problems(value), JSON.stringify(value)).toEqual([]);
    for (const value of wrong)
      expect(problems(value), JSON.stringify(value)).toMatchObject([{ instancePath: "/value" }]);
  });

  it("takes a blank JSON field for left out", () => {
    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" }, m: { type: "integer" } } };
    const opened = ["n", "m"].reduce((doc, name) => openAsJson(doc, [name]), createDocument(JSON.stringify(schema)));
    expect(shallowProblems(opened)).toMatchObject([{ keyword: "required", missing: "n" }]);
  });

  it("says what is asked for where the schema does", () => {
    const doc = createDocument(
      schemaOf({ crew: { type: "integer", minimum: 1, maximum: 4 }, mail: { type: "string", format: "email" } }),
      '{"crew":9,"mail":"x"}',
    );
    expect(shallowProblems(doc).map(({ message }) => message)).toEqual([
      "This does not match what the server asks for: 1 to 4.",
      "This must be an email address, for example name@example.com.",
    ]);
  });
});
