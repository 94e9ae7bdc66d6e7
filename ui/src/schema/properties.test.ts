import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as actions from "./actions";
import { argumentsSchema, createDocument, fromText, syntaxProblem, toText } from "./document";
import { compareNumbers, isMultipleOf, isWholeNumber } from "./decimal";
import { fits } from "./evaluate";
import { parseJson } from "./parse";
import { jsonText, memberName, schemaValue } from "./testing/arbitraries";
import { parsed, walk } from "./testing/walk";
import { compactJson, printNode } from "./print";

describe("whatever comes in", () => {
  it("untouched text comes out as it was", () => {
    fc.assert(
      fc.property(schemaValue, jsonText, (schema, text) => {
        expect(toText(createDocument(JSON.stringify(schema), text))).toBe(text);
      }),
    );
  });

  it("printing loses no token", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const printed = printNode(parsed(text));
        expect(compactJson(printed)).toBe(compactJson(text));
        expect(printNode(parsed(printed))).toBe(printed);
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with JSON.parse on what is JSON", () => {
    const mangled = fc.tuple(jsonText, fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, noise]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + noise + text.slice(cut + 1);
    });
    fc.assert(
      fc.property(fc.oneof(mangled, fc.string(), jsonText), (text) => {
        let native = true;
        try {
          JSON.parse(text);
        } catch {
          native = false;
        }
        expect(parseJson(text).ok).toBe(native);
      }),
      { numRuns: 2000 },
    );
  });

  it("no schema and no value breaks planning, prefilling or choosing", () => {
    fc.assert(
      fc.property(schemaValue, jsonText, (schema, text) => {
        const doc = createDocument(JSON.stringify(schema));
        expect(syntaxProblem(doc)).toBeNull();
        parsed(toText(doc));
        if (doc.source.root) {
          walk(doc.source, doc.source.root, parsed(text), { left: 300 });
          fits(doc.source, doc.source.root, parsed(text));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("no text at all breaks the document", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (schema, text) => {
        const doc = fromText(createDocument(schema), text);
        expect(toText(doc)).toBe(text);
        argumentsSchema(doc);
        syntaxProblem(doc);
      }),
    );
  });

  it("an edit of one field leaves every other token alone", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(memberName, jsonText), { maxLength: 5 }), fc.string(), (members, typed) => {
        const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
        const doc = actions.setText(createDocument("{}", text), ["new field"], typed);
        const before = compactJson(text).slice(0, -1);
        const comma = members.length > 0 ? "," : "";
        expect(compactJson(toText(doc))).toBe(`${before}${comma}"new field":${JSON.stringify(typed)}}`);
      }),
    );
  });

  it("numbers compare like big integers do", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 12n }), (a, b) => {
        expect(Math.sign(compareNumbers(`${a}`, `${b}`))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(isMultipleOf(`${a}`, `${b}`)).toBe(a % b === 0n);
        expect(isWholeNumber(`${a}`)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
