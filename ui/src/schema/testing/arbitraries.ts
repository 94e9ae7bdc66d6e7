/** Random schemas and JSON texts for property tests. */
import fc from "fast-check";

const lexeme = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/);
const space = fc.constantFrom("", " ", "\n", "\t ", "\r\n");
/** Member names, including those that ordinary objects handle wrongly. */
export const memberName = fc.oneof(
  fc.constantFrom("a", "b", "kind", "10", "2", "__proto__", "toString"),
  fc.string({ maxLength: 6 }),
);

/** JSON text as people and programs write it: odd spaces, any order, repeated keys, any digits. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(
      fc.constantFrom("null", "true", "false", '""', '"\\u00e9\\/\\ud800"'),
      lexeme,
      fc.string({ unit: "binary" }).map((s) => JSON.stringify(s)),
    ),
    fc
      .tuple(space, fc.array(tie("json"), { maxLength: 4 }))
      .map(([s, items]) => `[${s}${items.join(`${s},${s}`)}${s}]`),
    fc
      .tuple(space, fc.array(fc.tuple(memberName, tie("json")), { maxLength: 4 }))
      .map(
        ([s, members]) =>
          `{${s}${members.map(([key, value]) => `${JSON.stringify(key)}${s}:${s}${value}`).join(`${s},`)}${s}}`,
      ),
  ),
})).json;

const reference = fc.constantFrom(
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/properties/a",
  "#/$defs/gone",
  "#here",
  "https://x.test/y",
  "%",
  "#/%E0%A4%A",
  "part",
);

const keyword = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<[string, unknown]> =>
  value.map((v) => [name, v]);

/** Schemas with every keyword the form reads, and plenty of nonsense. */
export const schemaValue: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie("schema");
  const schemas = fc.array(schema, { maxLength: 3 });
  const map = fc.dictionary(fc.constantFrom("a", "b", "kind", "10"), schema, { maxKeys: 3 });
  const type = fc.constantFrom("string", "number", "integer", "boolean", "array", "object", "null", "odd", 7);
  const value = fc.jsonValue({ maxDepth: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.oneof(
        fc.boolean(),
        fc.constantFrom<unknown>({}, null, 3, "x", []),
        reference.map(($ref) => ({ $ref })),
      ),
      fc
        .array(
          fc.oneof(
            keyword("type", fc.oneof(type, fc.array(type, { maxLength: 3 }))),
            keyword("properties", map),
            keyword("required", fc.array(fc.constantFrom("a", "b", "kind", "zz"), { maxLength: 3 })),
            keyword("additionalProperties", schema),
            keyword(
              "patternProperties",
              fc.dictionary(fc.constantFrom("^a", "(a+)+$", "[", "."), schema, { maxKeys: 2 }),
            ),
            keyword("items", fc.oneof(schema, schemas)),
            keyword("prefixItems", schemas),
            keyword("oneOf", schemas),
            keyword("anyOf", schemas),
            keyword("allOf", schemas),
            keyword("if", schema),
            keyword("then", schema),
            keyword("else", schema),
            keyword("not", schema),
            keyword("dependentRequired", fc.constant({ a: ["b"] })),
            keyword("dependentSchemas", map),
            keyword("$defs", fc.record({ a: schema, b: schema })),
            keyword("$anchor", fc.constant("here")),
            keyword("$ref", reference),
            keyword("enum", fc.array(value, { maxLength: 4 })),
            keyword("const", value),
            keyword("default", value),
            keyword("examples", fc.array(value, { maxLength: 2 })),
            keyword("minimum", fc.oneof(fc.integer(), value)),
            keyword("maximum", fc.integer()),
            keyword("minItems", fc.integer({ min: -1, max: 1e9 })),
            keyword("minLength", fc.nat()),
            keyword("pattern", fc.string({ maxLength: 8 })),
            keyword("multipleOf", fc.constantFrom(0, 1, 0.1, -3, "x")),
            keyword("nullable", fc.boolean()),
            keyword("title", fc.oneof(fc.string(), fc.constant(5))),
          ),
          { maxLength: 6 },
        )
        .map((keywords) => Object.fromEntries(keywords)),
    ),
  };
}).schema;
