/** Schemas that cost more than their size suggests: wide, deep, repeated, and referring to each other. */
import fc from "fast-check";

import { schemaValue } from "./arbitraries";

const list = fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems");
const single = fc.constantFrom(
  "not",
  "if",
  "then",
  "else",
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
);
const width = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 2, 2, 500, 501, 3000));

/** Definitions that each refer several times to the next one. */
const ladder = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.array(fc.tuple(list, width), { minLength: 1, maxLength: 4 }), schemaValue)
  .map(([height, rungs, end]) => {
    const $defs: Record<string, unknown> = { [`a${height}`]: end };
    for (let at = 0; at < height; at++) {
      const [keyword, times] = rungs[at % rungs.length] ?? ["anyOf", 2];
      const next = { $ref: `#/$defs/a${at + 1}` };
      $defs[`a${at}`] = { title: `a${at}`, [keyword]: Array.from({ length: Math.min(times, 200) }, () => next) };
    }
    return { type: "object", properties: { a: { $ref: "#/$defs/a0" } }, $ref: "#/$defs/a0", $defs };
  });

/** One schema or value, repeated many times. */
const repeated = fc
  .tuple(
    fc.constantFrom(
      "properties",
      "patternProperties",
      "dependentSchemas",
      "$defs",
      "required",
      "enum",
      "anyOf",
      "allOf",
    ),
    width,
    schemaValue,
  )
  .map(([keyword, times, part]) => {
    const names = Array.from({ length: times }, (_, at) => `n${at}`);
    if (keyword === "required") return { required: names, additionalProperties: part };
    if (keyword === "enum") return { enum: names.map((name) => [name, part]) };
    if (keyword === "anyOf" || keyword === "allOf") return { [keyword]: names.map((title) => ({ title, a: part })) };
    return { [keyword]: Object.fromEntries(names.map((name) => [name, part])), required: names.slice(0, 100) };
  });

/** A keyword nested in itself. */
const nested = fc
  .tuple(
    fc.integer({ min: 1, max: 250 }),
    fc.array(fc.oneof(list, single), { minLength: 1, maxLength: 4 }),
    schemaValue,
  )
  .map(([depth, keywords, end]) => {
    let schema: unknown = end;
    for (let at = 0; at < depth; at++) {
      const keyword = keywords[at % keywords.length] ?? "not";
      schema = { [keyword]: /Of$|^prefix/.test(keyword) ? [schema, { title: `${at}` }] : schema };
    }
    return schema;
  });

/** Schemas with which a server could try to freeze the window. */
export const hostileSchema: fc.Arbitrary<unknown> = fc.oneof(schemaValue, ladder, repeated, nested).chain((schema) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(schema) },
    fc.tuple(single, schemaValue).map(([keyword, other]) => ({ [keyword]: schema, ...Object(other) })),
    repeated.map((other) => ({ allOf: [schema, other, schema] })),
  ),
);
