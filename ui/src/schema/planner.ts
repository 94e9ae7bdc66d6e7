/** Builds field plans from JSON Schema, one node at a time and only when the node is shown. */
import { cached } from "../lib/cached";
import { fits } from "./evaluate";
import { allOf, flatten, flattened, typeNames, without, type Flat } from "./merge";
import { countOf, isTrue, itemsOf, memberOf, objectNode, stringNode, stringOf } from "./node";
import { EMPTY_OBJECT, settled, type JsonNode, type ObjectNode } from "./node";
import { jsonPlan, type Facts, type FieldPlan, type Option } from "./plan";
import type { SchemaSource } from "./source";
import { planObject } from "./planobject";
import { constantOptions, mergeOnlyBranch, planUnion } from "./planunion";
import { hintsOf, onlyValue, valueInWords } from "./schemaWords";
import { TOO_COMPLEX, work } from "./work";

/** Limit of value-dependent keywords at one place. */
const MAX_CONDITIONS = 200;
const MAX_NESTING = 40;
const DEPENDENTS = ["dependentSchemas", "dependentRequired", "dependencies"];
const CONDITIONS = ["if", ...DEPENDENTS];
const MAX_OPTIONS = 20_000;
const TEXT_BOX_FROM = 200;
const TEXT_BOX_FORMATS = new Set(["multiline", "multi-line", "textarea", "text", "markdown", "html", "code"]);

const plans = new WeakMap<JsonNode, FieldPlan>();
const failures = new WeakMap<JsonNode, FieldPlan>();
const steps = new WeakMap<JsonNode, Map<string, Flat>>();
const collapsed = new WeakMap<JsonNode, Flat | null>();
let nesting = 0;

/**
 * Returns the plan for a value under `schema`. The value decides `if`/`then`/`else` and the dependent keywords; equal
 * decisions return the identical plan, so that components can be memoised by it.
 */
export function planField(source: SchemaSource, schema: JsonNode, value: JsonNode | undefined): FieldPlan {
  if (!work(1)) return jsonPlan(factsOf(schema), TOO_COMPLEX);
  const flat = effective(source, schema, value && settled(value));
  if (!flat.ok) {
    return cached(failures, schema, () => jsonPlan(factsOf(schema), flat.reason));
  }
  let plan = plans.get(flat.schema);
  if (plan) return plan;
  // Only unions of one branch plan again at the same place, so this depth means a cycle.
  if (nesting > MAX_NESTING) return jsonPlan(factsOf(flat.schema), "The schema refers to itself endlessly here.");
  nesting++;
  try {
    plan = planFlat(source, flat.schema);
  } finally {
    nesting--;
  }
  plans.set(flat.schema, plan);
  return plan;
}

function effective(source: SchemaSource, schema: JsonNode, value: JsonNode | undefined): Flat {
  let flat = flattened(source, schema);
  for (let round = 0; flat.ok; round++) {
    const next = decide(source, flat.schema, value);
    if (!next) break;
    if (round === MAX_CONDITIONS) {
      const { schema: undecided } = flat;
      // A union of one branch that still remains refers to itself; its plan says so.
      return CONDITIONS.some((key) => memberOf(undecided, key)) ? { ok: false, reason: TOO_COMPLEX } : flat;
    }
    flat = next;
  }
  return flat;
}

/**
 * Removes one value-dependent keyword from the schema and merges its requirements; null if there is no such keyword.
 */
function decide(source: SchemaSource, schema: ObjectNode, value: JsonNode | undefined): Flat | null {
  const condition = memberOf(schema, "if");
  if (condition) {
    const side = fits(source, condition, value ?? EMPTY_OBJECT) ? "then" : "else";
    return remembered(schema, side, () => {
      const chosen = memberOf(schema, side);
      const base = without(schema, "if", "then", "else");
      return flatten(source, allOf(chosen ? [base, chosen] : [base]));
    });
  }
  const dependents = DEPENDENTS.flatMap((keyword) => {
    const rules = memberOf(schema, keyword);
    return rules?.kind === "object" ? rules.members : [];
  });
  if (dependents.length === 0) return onlyBranch(source, schema);
  const due = dependents.filter((rule) => memberOf(value, rule.key) !== undefined);
  return remembered(schema, due.map((rule) => rule.key).join("\n"), () => {
    const base = without(schema, ...DEPENDENTS);
    const parts = due.map(({ value: rule }) => (rule.kind === "array" ? objectNode([["required", rule]]) : rule));
    return flatten(source, allOf([base, ...parts]));
  });
}

function onlyBranch(source: SchemaSource, schema: ObjectNode): Flat | null {
  if (!memberOf(schema, "oneOf") && !memberOf(schema, "anyOf")) return null;
  return cached(collapsed, schema, () => mergeOnlyBranch(source, schema));
}

function remembered(schema: ObjectNode, decision: string, make: () => Flat): Flat {
  const known = cached(steps, schema, () => new Map<string, Flat>());
  if (known.size > 200 && !known.has(decision)) known.clear();
  return cached(known, decision, make);
}

function factsOf(schema: JsonNode): Facts {
  const flag = (key: string) => isTrue(memberOf(schema, key));
  const example = memberOf(schema, "example");
  return {
    title: stringOf(memberOf(schema, "title")) || undefined,
    description: stringOf(memberOf(schema, "description")) || undefined,
    default: memberOf(schema, "default"),
    examples: [...itemsOf(memberOf(schema, "examples")), ...(example ? [example] : [])].slice(0, 5),
    deprecated: flag("deprecated"),
    readOnly: flag("readOnly"),
    nullable: flag("nullable"),
    hints: schema.kind === "object" ? hintsOf(schema) : [],
  };
}

/** Plans a schema that is flat and free of conditions. */
function planFlat(source: SchemaSource, schema: ObjectNode): FieldPlan {
  const facts = factsOf(schema);
  const constant = onlyValue(schema);
  if (constant) return { ...facts, kind: "const", value: constant };
  const enumeration = memberOf(schema, "enum");
  if (enumeration?.kind === "array") return planEnum(schema, facts, itemsOf(enumeration));
  const union = planUnion(source, schema, facts, (rest) => planField(source, rest, undefined));
  if (union) return union;

  const types = new Set(typeNames(memberOf(schema, "type")));
  if (types.size === 0) guessTypes(schema).forEach((type) => types.add(type));
  const nullable = facts.nullable || (types.size > 1 && types.has("null"));
  if (types.size > 1) types.delete("null");
  if (types.has("number")) types.delete("integer");
  const [type, ...more] = types;
  const full = { ...facts, nullable };
  if (type === undefined) return jsonPlan(full, "The schema allows any value here.");
  if (more.length > 0) return planTypes(schema, full, [type, ...more]);
  return planType(source, schema, full, type);
}

function planType(source: SchemaSource, schema: ObjectNode, facts: Facts, type: string): FieldPlan {
  switch (type) {
    case "string":
      return planText(schema, facts);
    case "number":
    case "integer":
      return { ...facts, kind: "number", integer: type === "integer", rules: schema };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "null":
      return { ...facts, kind: "const", value: { kind: "null" } };
    case "object":
      return planObject(schema, facts);
    case "array":
      return planList(source, schema, facts);
    default:
      return jsonPlan(facts, `The schema specifies the type “${type}”, which JSON Schema does not know.`);
  }
}

/** Plans several types as a union with a branch for each type. */
function planTypes(schema: ObjectNode, facts: Facts, types: readonly string[]): FieldPlan {
  const base = without(schema, "type", "title", "description", "default", "examples", "example", "nullable");
  const branches = types.map((type) => ({
    label: type,
    description: undefined,
    schema: objectNode([["type", stringNode(type)], ...base.members.map((m) => [m.key, m.value] as const)]),
    own: stringNode(type),
  }));
  return { ...facts, kind: "union", branches };
}

const TYPE_CLUES: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Guesses the types of a schema without `type`, which allows every type, from its other keywords. */
function guessTypes(schema: ObjectNode): string[] {
  const clue = TYPE_CLUES.find(([, keywords]) => keywords.some((keyword) => memberOf(schema, keyword)));
  return clue ? [clue[0]] : [];
}

function planText(schema: ObjectNode, facts: Facts): FieldPlan {
  const format = stringOf(memberOf(schema, "format"));
  const media = stringOf(memberOf(schema, "contentMediaType"));
  const longest = countOf(memberOf(schema, "maxLength"));
  const multiline =
    TEXT_BOX_FORMATS.has(format ?? "") ||
    media !== undefined ||
    (format === undefined && longest !== undefined && longest > TEXT_BOX_FROM);
  const secret = format === "password" || isTrue(memberOf(schema, "writeOnly"));
  return { ...facts, kind: "text", format, multiline, secret };
}

function planEnum(schema: ObjectNode, facts: Facts, values: readonly JsonNode[]): FieldPlan {
  if (values.length === 0) return jsonPlan(facts, "The schema allows no value here: its list of values is empty.");
  if (values.length > MAX_OPTIONS) {
    return jsonPlan(facts, `The schema lists ${values.length} values, too many for a menu.`);
  }
  const names = itemsOf(memberOf(schema, "enumNames") ?? memberOf(schema, "x-enumNames")).map(stringOf);
  const texts = itemsOf(memberOf(schema, "enumDescriptions") ?? memberOf(schema, "x-enumDescriptions")).map(stringOf);
  const options = values.map((value, at): Option => {
    const name = names[at];
    return { value, label: name || valueInWords(value), description: texts[at] };
  });
  return { ...facts, kind: "choice", options };
}

/**
 * Returns the options if `schema` is a fixed set of values. The schema is not planned for that, as it may be the list
 * itself again.
 */
function fixedOptions(source: SchemaSource, schema: JsonNode): readonly Option[] | null {
  const flat = flattened(source, schema);
  if (!flat.ok) return null;
  const union = memberOf(flat.schema, "oneOf") ?? memberOf(flat.schema, "anyOf");
  if (union?.kind === "array" && union.items.length > 0) return constantOptions(source, itemsOf(union));
  const enumeration = memberOf(flat.schema, "enum");
  if (enumeration?.kind !== "array") return null;
  const plan = planEnum(flat.schema, factsOf(flat.schema), itemsOf(enumeration));
  return plan.kind === "choice" ? plan.options : null;
}

function planList(source: SchemaSource, schema: ObjectNode, facts: Facts): FieldPlan {
  const items = memberOf(schema, "items");
  const tuple = items?.kind === "array" ? items : memberOf(schema, "prefixItems");
  const prefix = itemsOf(tuple);
  const further = items?.kind === "array" ? memberOf(schema, "additionalItems") : items;
  const rest = further?.kind === "boolean" && !further.value ? null : (further ?? objectNode([]));
  const minItems = countOf(memberOf(schema, "minItems")) ?? 0;
  const maxItems = countOf(memberOf(schema, "maxItems"));
  if (prefix.length === 0 && further) {
    const options = fixedOptions(source, further);
    if (options) return { ...facts, kind: "many", options, items: further };
  }
  return { ...facts, kind: "list", prefix, rest, minItems, maxItems };
}
