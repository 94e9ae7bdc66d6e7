import { describe, expect, it, vi } from "vitest";
import { compareNumbers } from "./decimal";
import { fits } from "./evaluate";
import type { FieldPlan } from "./plan";
import { planField } from "./planner";
import { bestBranch } from "./planunion";
import { printNode } from "./print";
import { hasPrivateFields } from "./privacy";
import { rootSchema } from "./root";
import { SchemaSource } from "./source";
import { parsed } from "./testing/walk";
import { MAX_WORK, workDone } from "./work";

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const json = (value: unknown) => parsed(textOf(value));

/** Parses a schema. */
function read(schema: unknown) {
  const source = SchemaSource.parse(textOf(schema));
  const root = source.root ?? expect.fail("no schema");
  const node = (value: unknown) => (value === undefined ? undefined : json(value));
  const plan = (value?: unknown): FieldPlan => planField(source, root, node(value));
  /** Returns the index of the branch that matches a value. */
  const best = (value?: unknown): number => {
    const union = plan();
    return bestBranch(source, union.kind === "union" ? union : expect.fail("no union"), node(value));
  };
  return { source, root, plan, best, fits: (value: unknown) => fits(source, root, json(value)) };
}

const plan = (schema: unknown, value?: unknown): FieldPlan => read(schema).plan(value);

/** Describes a plan in one line: kinds, names, required marks, labels. */
function picture(schema: unknown, value?: unknown): string {
  const { source, plan } = read(schema);
  const draw = (part: FieldPlan, depth: number): string => {
    const nullable = part.nullable ? "?" : "";
    const child = (schema: Parameters<typeof planField>[1]) =>
      depth > 3 ? "…" : draw(planField(source, schema, undefined), depth + 1);
    switch (part.kind) {
      case "object": {
        const fields = part.properties.map((p) => `${p.name}${p.required ? "!" : ""}:${child(p.schema)}`);
        if (part.isMap) fields.push(`*:${part.other.kind === "object" ? child(part.other) : "any"}`);
        return `{${fields.join(" ")}}${nullable}`;
      }
      case "list":
        return `[${[...part.prefix.map(child), ...(part.rest ? [`...${child(part.rest)}`] : [])].join(" ")}]${nullable}`;
      case "many":
        return `many(${part.options.map((o) => o.label).join("|")})${nullable}`;
      case "choice":
        return `choice(${part.options.map((o) => o.label).join("|")})${nullable}`;
      case "const":
        return `=${printNode(part.value)}${nullable}`;
      case "union":
        return `<${part.branches.map((b) => `${b.label}=${child(b.schema)}`).join(" | ")}>${nullable}`;
      case "number":
        return (part.integer ? "integer" : "number") + nullable;
      case "json":
        return `json${nullable}`;
      default:
        return part.kind + nullable;
    }
  };
  return draw(plan(value), 0);
}

const string = { type: "string" };
const integer = { type: "integer" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("a schema becomes fields", () => {
  it.each<[string, unknown, string]>([
    [
      "scalars",
      object({ a: string, b: integer, c: { type: "number" }, d: { type: "boolean" } }, { required: ["b"] }),
      "{a:text b!:integer c:number d:boolean}",
    ],
    ["integer-like names keep their order", object({ b: string, a: string }), "{b:text a:text}"],
    ["enum with names", { enum: ["a", 1, null], enumNames: ["Alpha"] }, "choice(Alpha|1|null)"],
    [
      "enums in allOf keep the names of their values",
      { enum: ["a", "b", "c"], enumNames: ["A", "B", "C"], allOf: [{ enum: ["b", "c"] }] },
      "choice(B|C)",
    ],
    [
      "names of the narrower enum in allOf",
      { enum: ["a", "b", "c", "d"], allOf: [{ enum: ["d", "c", "b"], enumNames: ["D", "C"] }] },
      "choice(b|C|D)",
    ],
    ["enum of one", { enum: ["a"] }, '="a"'],
    ["const", { const: 9 }, "=9"],
    ["titled constants", { oneOf: [{ const: "a", title: "A!" }, { const: "b" }] }, "choice(A!|b)"],
    ["titled constants or null", { anyOf: [{ const: "a" }, { const: "b" }, { type: "null" }] }, "choice(a|b)?"],
    ["nullable by type list", { type: ["string", "null"] }, "text?"],
    ["nullable by anyOf", { anyOf: [string, { type: "null" }] }, "text?"],
    ["one constant or null", { anyOf: [{ const: "a" }, { type: "null" }] }, "choice(a)?"],
    [
      "title beside a nullable reference",
      {
        $defs: { n: { type: "integer", title: "inner" } },
        anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }],
        default: null,
        title: "outer",
      },
      "integer?",
    ],
    ["nullable by OpenAPI word", { type: "string", nullable: true }, "text?"],
    [
      "nullable object by $ref",
      {
        $defs: { P: object({ x: integer }) },
        anyOf: [{ $ref: "#/$defs/P" }, { type: "null" }],
      },
      "{x:integer}?",
    ],
    ["several types", { type: ["string", "integer", "null"] }, "<string=text | integer=integer>?"],
    [
      "union by definitions",
      {
        $defs: {
          Cat: object({ m: string }),
          Dog: object({ w: string }),
        },
        oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
      },
      "<Cat={m:text} | Dog={w:text}>",
    ],
    [
      "discriminated union",
      {
        oneOf: [object({ kind: { const: "a" }, x: string }), object({ kind: { const: "b" } })],
      },
      '<a={kind:="a" x:text} | b={kind:="b"}>',
    ],
    [
      "union beside properties",
      object(
        { id: string },
        {
          anyOf: [
            { title: "By name", properties: { name: string }, required: ["name"] },
            { title: "By age", properties: { age: integer } },
          ],
        },
      ),
      "<By name={id:text name!:text} | By age={id:text age:integer}>",
    ],
    [
      "two unions in allOf",
      {
        type: "object",
        allOf: [
          {
            oneOf: [
              { title: "A", properties: { a: string } },
              { title: "B", properties: { b: string } },
            ],
          },
          {
            oneOf: [
              { title: "C", properties: { c: string } },
              { title: "D", properties: { d: string } },
            ],
          },
        ],
      },
      "<A=<C={a:text c:text} | D={a:text d:text}> | B=<C={b:text c:text} | D={b:text d:text}>>",
    ],
    [
      "required-only alternatives",
      object({ a: string, b: string }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      "{a:text b:text}",
    ],
    [
      "allOf",
      {
        allOf: [object({ a: string }, { required: ["a"] }), { properties: { a: { minLength: 2 }, b: integer } }],
      },
      "{a!:text b:integer}",
    ],
    [
      "allOf narrows",
      {
        allOf: [
          { type: "number", minimum: 1 },
          { type: "integer", minimum: 3 },
        ],
      },
      "integer",
    ],
    ["contradiction", { allOf: [string, integer] }, "json"],
    [
      "$anchor",
      { $defs: { x: { $anchor: "here", type: "integer" } }, type: "object", properties: { a: { $ref: "#here" } } },
      "{a:integer}",
    ],
    [
      "embedded $id",
      {
        $id: "https://e.x/root",
        $defs: { x: { $id: "part", $defs: { y: integer }, type: "object", properties: { z: { $ref: "#/$defs/y" } } } },
        type: "object",
        properties: { a: { $ref: "part" } },
      },
      "{a:{z:integer}}",
    ],
    ["escaped pointers", { $defs: { "a/b c": integer }, $ref: "#/$defs/a~1b%20c" }, "integer"],
    ["$ref with siblings", { definitions: { n: integer }, $ref: "#/definitions/n", title: "N" }, "integer"],
    ["list", { type: "array", items: integer }, "[...integer]"],
    ["list of enum", { type: "array", items: { enum: ["x", "y"] } }, "many(x|y)"],
    [
      "list of titled constants",
      {
        type: "array",
        uniqueItems: true,
        items: {
          anyOf: [
            { const: "x", title: "X" },
            { const: "y", title: "Y" },
          ],
        },
      },
      "many(X|Y)",
    ],
    ["tuple 2020-12", { type: "array", prefixItems: [string, integer], items: false }, "[text integer]"],
    [
      "tuple draft-07",
      { type: "array", items: [string, integer], additionalItems: { type: "boolean" } },
      "[text integer ...boolean]",
    ],
    ["map", { type: "object", additionalProperties: integer }, "{*:integer}"],
    ["pattern map", { type: "object", patternProperties: { "^x-": string }, additionalProperties: false }, "{*:text}"],
    [
      "pattern maps",
      { patternProperties: { a: string, b: string, c: integer } },
      "{*:<string=text | integer=integer>}",
    ],
    ["pattern for a required name", { required: ["a"], patternProperties: { "^a": string } }, "{a!:text *:text}"],
    ["object without a word", { type: "object" }, "{*:any}"],
    ["closed empty object", { type: "object", additionalProperties: false }, "{}"],
    [
      "required without property",
      { type: "object", required: ["a"], additionalProperties: integer },
      "{a!:integer *:integer}",
    ],
    [
      "type left out",
      { properties: { a: { minimum: 3 }, b: { pattern: "x" }, c: { items: string } } },
      "{a:number b:text c:[...text]}",
    ],
    ["boolean schemas", object({ a: true, b: false, c: {} }), "{a:json b:json c:json}"],
    [
      "recursion by $ref",
      object({ children: { type: "array", items: { $ref: "#" } } }),
      "{children:[...{children:[...{children:…}]}]}",
    ],
    ["list of itself", { type: "array", items: { $ref: "#" } }, "[...[...[...[...[...…]]]]]"],
    [
      "generics by $dynamicRef",
      { $dynamicAnchor: "t", type: "object", properties: { next: { $dynamicRef: "#t" } } },
      "{next:{next:{next:{next:{next:…}}}}}",
    ],
    ["unknown type word", { type: "strnig" }, "json"],
  ])("%s", (_, schema, expected) => {
    expect(picture(schema)).toBe(expected);
  });

  it.each<[string, unknown, string]>([
    ["external reference", { $ref: "https://example.com/x.json" }, "outside itself"],
    ["dangling reference", { $ref: "#/$defs/gone" }, "nothing there"],
    ["reference to itself", { $ref: "#" }, "endlessly"],
    [
      "circle of two",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
      "endlessly",
    ],
    ["circle through a union of one", { anyOf: [{ $ref: "#" }, { type: "null" }] }, "endlessly"],
    ["false", false, "allows no value"],
    ["a number for a schema", 7, "is not valid"],
    ["nothing said", {}, "any value"],
    ["empty enum", { enum: [] }, "is empty"],
    ["contradiction", { allOf: [{ const: 1 }, { const: 2 }] }, "contradict"],
  ])("says why %s is JSON", (_, schema, reason) => {
    const found = plan(schema);
    expect(found.kind).toBe("json");
    expect(found.kind === "json" && found.reason).toContain(reason);
  });

  it("shows limits in words", () => {
    expect(plan({ type: "integer", minimum: 1, maximum: 10, multipleOf: 2 }).hints).toEqual([
      "1 to 10",
      "a multiple of 2",
    ]);
    expect(plan({ type: "number", exclusiveMinimum: 0 }).hints).toEqual(["above 0"]);
    expect(plan({ type: "integer", minimum: 10, maximum: 9 }).hints).toEqual([
      "no value is possible",
      "at least 10",
      "at most 9",
    ]);
    expect(plan({ type: "string", minLength: 3, maxLength: 1 }).hints[0]).toBe("no value is possible");
    expect(plan({ type: "number", minimum: 0, exclusiveMinimum: true }).hints).toEqual(["above 0"]);
    expect(plan({ type: "string", minLength: 1, maxLength: 3 }).hints).toEqual(["1 to 3 characters"]);
    expect(plan(object({ a: string }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] })).hints).toEqual([
      "at least one of: a, b",
    ]);
  });
});

describe("the value decides", () => {
  const conditional = object(
    { how: { enum: ["card", "cash"] } },
    {
      if: { properties: { how: { const: "card" } }, required: ["how"] },
      then: { properties: { number: string }, required: ["number"] },
      else: { properties: { change: integer } },
    },
  );

  it("which side of if is shown", () => {
    expect(picture(conditional, { how: "card" })).toBe("{how:choice(card|cash) number!:text}");
    expect(picture(conditional, { how: "cash" })).toBe("{how:choice(card|cash) change:integer}");
    expect(picture(conditional)).toBe("{how:choice(card|cash) change:integer}");
  });

  it("several conditions in allOf", () => {
    const rule = (key: string, field: string) => ({
      if: { required: [key] },
      then: { properties: { [field]: string } },
    });
    const schema = object({ a: string, b: string }, { allOf: [rule("a", "x"), rule("b", "y")] });
    expect(picture(schema, { a: "1", b: "2" })).toBe("{a:text b:text x:text y:text}");
    expect(picture(schema, { b: "2" })).toBe("{a:text b:text y:text}");
  });

  it("many conditions, all of them or none", () => {
    const rules = (count: number) =>
      object(
        {},
        {
          allOf: Array.from({ length: count }, (_, at) => ({
            if: { required: [`a${at}`] },
            then: { properties: { [`x${at}`]: string } },
          })),
        },
      );
    expect(picture(rules(80), { a79: 1 })).toBe("{x79:text}");
    expect(picture(rules(900), { a0: 1 })).toBe("json");
    const endless = plan({ ...conditional, then: { $ref: "#" } }, { how: "card" });
    expect(endless.kind === "json" && endless.reason).toContain("too complex");
  });

  it("also inside a nullable reference", () => {
    const schema = { $defs: { c: conditional }, anyOf: [{ $ref: "#/$defs/c" }, { type: "null" }] };
    expect(picture(schema, { how: "card" })).toBe("{how:choice(card|cash) number!:text}?");
    expect(picture(schema, { how: "cash" })).toBe("{how:choice(card|cash) change:integer}?");
  });

  it("what depends on a member", () => {
    const schema = object(
      { card: string, code: string },
      { dependentRequired: { card: ["code"] }, dependentSchemas: { card: { properties: { holder: string } } } },
    );
    expect(picture(schema, {})).toBe("{card:text code:text}");
    expect(picture(schema, { card: "1" })).toBe("{card:text code!:text holder:text}");
    const old = object({ a: string, b: string }, { dependencies: { a: ["b"] } });
    expect(picture(old, { a: "" })).toBe("{a:text b!:text}");
  });

  it("without rounding the numbers it looks at", () => {
    const schema = object(
      { n: integer },
      { if: { properties: { n: { minimum: 9007199254740992 } } }, then: { title: "big" }, else: { title: "small" } },
    );
    const text = JSON.stringify(schema).replace("9007199254740992", "9007199254740993");
    const { plan } = read(text);
    expect(plan('{"n":9007199254740992}').title).toBe("small");
    expect(plan('{"n":9007199254740993}').title).toBe("big");
  });

  it("gives the identical plan while decisions stay the same", () => {
    const { plan } = read(conditional);
    expect(plan({ how: "card", number: "1" })).toBe(plan({ how: "card" }));
  });

  it("which branch suits", () => {
    const schema = {
      oneOf: [
        object({ kind: { const: "circle" }, r: { type: "number" } }, { required: ["kind", "r"] }),
        object({ kind: { const: "square" }, side: { type: "number" } }, { required: ["kind", "side"] }),
        { type: "string" },
      ],
    };
    const { best } = read(schema);
    expect(best({ kind: "square", side: 2 })).toBe(1);
    expect(best({ kind: "square", side: "wrong" })).toBe(1);
    expect(best('"x"')).toBe(2);
    expect(best()).toBe(0);
  });
});

describe("patterns from the server", () => {
  const slow = "^a*a*a*a*a*a*$";

  it("are never evaluated", () => {
    const compile = vi.spyOn(globalThis, "RegExp");
    try {
      const pattern = { type: "string", pattern: slow };
      const name = `${"a".repeat(80)}!`;
      const schema = {
        type: "object",
        required: [name],
        patternProperties: { [slow]: { if: pattern, then: { title: "Then" } } },
        additionalProperties: { not: pattern },
        propertyNames: pattern,
      };
      const value = { [name]: name };
      expect(picture(schema, value)).toContain(`${name}!:`);
      expect(read(schema).fits(value)).toBe(true);
      expect(compile).not.toHaveBeenCalled();
    } finally {
      compile.mockRestore();
    }
  });

  it("count as fitting, and so does their opposite", () => {
    const undecided = { pattern: slow };
    for (const schema of [
      undecided,
      { not: undecided },
      { not: { not: undecided } },
      { oneOf: [undecided, { type: "string" }] },
      { if: undecided, then: false, else: true },
      { patternProperties: { [slow]: false } },
      { patternProperties: { [slow]: true }, additionalProperties: false },
    ]) {
      const value = "patternProperties" in schema ? { other: 1 } : '"a"';
      expect(read(schema).fits(value), JSON.stringify(schema)).toBe(true);
    }
  });

  it("leave the choice of a branch to what can be told", () => {
    const schema = {
      oneOf: [
        { title: "A", type: "string", pattern: "^(a+)+$" },
        { title: "B", type: "integer" },
      ],
    };
    expect(read(schema).best(JSON.stringify(`${"a".repeat(1000)}!`))).toBe(0);
  });
});

describe("schemas that ask for more than their size tells", () => {
  const many = <T>(count: number, part: (at: number) => T) => Array.from({ length: count }, (_, at) => part(at));
  /** Builds definitions that each refer many times to the next one. */
  const ladder = (keyword: string, height: number, width: number, end: unknown) => ({
    $ref: "#/$defs/a0",
    $defs: Object.fromEntries([
      ...many(height, (at) => [`a${at}`, { [keyword]: many(width, () => ({ $ref: `#/$defs/a${at + 1}` })) }]),
      [`a${height}`, end],
    ]),
  });
  const names = many(5_000, (at) => `n${at}`);

  it.each<[string, unknown]>([
    ["unions of unions", ladder("anyOf", 11, 200, string)],
    ["unions of unions of objects", ladder("oneOf", 11, 200, { properties: { a: string } })],
    ["everything of everything", ladder("allOf", 20, 2, { properties: { a: string } })],
    ["a condition over long lists", { if: ladder("anyOf", 2, 2_000, { enum: names }), then: { title: "T" } }],
    [
      "many large parts",
      {
        allOf: many(40, (at) => ({
          properties: { [`only${at}`]: string, ...Object.fromEntries(names.map((name) => [name, { maxLength: at }])) },
        })),
      },
    ],
  ])("are given up: %s", (_, schema) => {
    const { source, plan } = read(schema);
    const before = workDone();
    rootSchema(source);
    const union = plan({});
    if (union.kind === "union") bestBranch(source, union, json({}));
    expect(workDone() - before).toBeLessThan(2 * MAX_WORK);
  });

  it("can have more parts than a call can have arguments", () => {
    expect(plan({ allOf: many(200_000, () => ({})) }).kind).toBe("json");
    expect(hasPrivateFields(JSON.stringify({ enum: many(200_000, () => 1), format: "password" }))).toBe(true);
  });

  it("can have numbers with many zeros", () => {
    expect(compareNumbers(`1${"0".repeat(300_000)}1`, `1${"0".repeat(300_000)}2`)).toBeLessThan(0);
  });
});
