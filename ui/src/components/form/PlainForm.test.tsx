import { useState } from "react";
import { describe, expect, it } from "vitest";

import { cleanup, fill, fireEvent, render, screen } from "../../lib/render.test.helper";
import { createDocument, toText, type FormDocument } from "../../schema/document";
import type { Problem } from "../../schema/problems";
import { hasFields, PlainForm } from "./PlainForm";

let document: FormDocument;

function Held({ schema, text, problems = [] }: { schema: object; text?: string; problems?: readonly Problem[] }) {
  const [value, setValue] = useState(() => createDocument(JSON.stringify(schema), text));
  const change = (next: FormDocument): void => {
    document = next;
    setValue(next);
  };
  return <PlainForm value={value} onChange={change} problems={problems} label="Values" idPrefix="plain" />;
}

const everything = {
  type: "object",
  required: ["from", "nights", "breakfast", "kind"],
  properties: {
    from: { type: "string", minLength: 1 },
    to: { type: "string", description: "Where it ends." },
    max_nights: { type: "integer", minimum: 1, maximum: 30 },
    nights: { type: "integer" },
    price: { type: ["number", "null"] },
    start: { type: "string", format: "date" },
    breakfast: { type: "boolean" },
    late: { type: "boolean" },
    room: { enum: ["small", null, ""] },
    kind: { const: "voyage" },
    anything: {},
    filter: { not: { type: "string" } },
    old: { type: "string", deprecated: true },
    crew: { type: "array", items: { type: "string" } },
    tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
    vessel: { type: "object", properties: { name: { type: "string", pattern: "^[a-z]+$" } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    payment: {
      oneOf: [
        { title: "Cash", type: "object", properties: { currency: { const: "EUR" } } },
        { title: "Invoice", type: "object", properties: { vat_id: { type: "string" } } },
      ],
    },
  },
};

/** Words that require knowledge of the schema. */
const TECHNICAL = /sent|schema|string|integer|boolean|array|object|null|json|matches|default|deprecated/i;

/** Returns all words of the form that a user sees or hears. */
function words(): string {
  const attributes = [...globalThis.document.querySelectorAll("*")].flatMap((element) =>
    ["aria-label", "placeholder", "title"].map((name) => element.getAttribute(name) ?? ""),
  );
  return [globalThis.document.body.textContent, ...attributes].join("\n");
}

describe("a form in plain words", () => {
  it("says nothing of the schema, whatever is filled in", () => {
    render(<Held schema={everything} />);
    expect(words()).not.toMatch(TECHNICAL);
    cleanup();
    const text =
      '{"from":"","to":"x","max_nights":"many","price":null,"room":7,"anything":{"a":1},"crew":["A"],"tags":[],"vessel":{"name":"b"},"labels":{"a":"b"},"payment":{"vat_id":"1"},"more":true}';
    render(<Held schema={everything} text={text} />);
    expect(words()).not.toMatch(TECHNICAL);
  });

  it("names fields in words, and leaves out what nobody can fill in", () => {
    render(<Held schema={everything} />);
    expect(screen.getByLabelText("Max nights")).toBeTruthy();
    expect(screen.getByText("1 to 30")).toBeTruthy();
    expect(screen.getByPlaceholderText("For example 2025-12-31")).toBeTruthy();
    for (const name of ["Kind", "Anything", "Filter", "Old"]) expect(screen.queryByText(name)).toBeNull();
  });

  it("leaves a text out that was emptied", () => {
    render(<Held schema={everything} text='{"from":"A","to":"B"}' />);
    fill(screen.getByLabelText("To"), "");
    expect(JSON.parse(toText(document))).toEqual({ from: "A" });
  });

  it("leaves optional ticks out once the last is gone", () => {
    const ticks = { type: "array", minItems: 1, items: { enum: ["a", "b"] } };
    const tick = (name: string) => fireEvent.click(screen.getByRole("checkbox", { name }));
    const twice = (required: readonly string[]) => {
      render(<Held schema={{ type: "object", properties: { tags: ticks }, required }} />);
      tick("a");
      expect(toText(document)).toContain("a");
      tick("a");
      cleanup();
      return JSON.parse(toText(document)) as unknown;
    };
    expect(twice([])).toEqual({});
    expect(twice(["tags"])).toEqual({ tags: [] });
  });

  it("says in plain words what is wrong", () => {
    const problem = (name: string, keyword: string): Problem => ({
      instancePath: `/${name}`,
      keyword,
      message: `"x" is not of type "integer"`,
    });
    const problems = [
      { ...problem("", "required"), instancePath: "", missing: "from" },
      problem("nights", "type"),
      problem("max_nights", "maximum"),
      problem("start", "format"),
    ];
    render(<Held schema={everything} text='{"nights":1,"max_nights":99,"start":"soon"}' problems={problems} />);
    for (const said of [
      "Please fill this in.",
      "Please enter a whole number.",
      "Allowed: 1 to 30.",
      "Please write it like this: 2025-12-31",
    ]) {
      expect(screen.getByText(said)).toBeTruthy();
    }
    expect(words()).not.toMatch(TECHNICAL);
  });

  it("is none where there is nothing to fill in", () => {
    const has = (schema: object, text?: string) => hasFields(createDocument(JSON.stringify(schema), text));
    expect(has({ type: "object", properties: {} })).toBe(false);
    expect(has({ type: "string" })).toBe(false);
    expect(has(everything)).toBe(true);
    expect(has(everything, "no JSON")).toBe(false);
  });
});
