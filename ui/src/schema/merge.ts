/**
 * Flattens schemas: one object schema without `$ref` and `allOf`, as far as possible without a value. Keywords that
 * cannot be merged stay in `allOf` and are merged once the conflicting keyword is gone.
 */
import { cached } from "../lib/cached";
import { compareNumbers } from "./decimal";
import {
  NULL,
  arrayNode,
  booleanNode,
  isTrue,
  itemsOf,
  memberOf,
  objectNode,
  stringOf,
  widthOf,
  type JsonNode,
  type ObjectNode,
} from "./node";
import { canonical, sameValue } from "./same";
import type { SchemaSource } from "./source";
import { TOO_COMPLEX, work } from "./work";

export type Flat =
  | { readonly ok: true; readonly schema: ObjectNode }
  | { readonly ok: false; readonly reason: string; readonly never?: boolean };

const MAX_MERGES = 1000;
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

const NOTHING_FITS: Flat = { ok: false, reason: "The schema allows no value here.", never: true };
const CONTRADICTION: Flat = {
  ok: false,
  reason: "Parts of the schema contradict each other, so no value is valid.",
};

/** Flattens `schema`. Returns a reason in plain words if that does not give an object schema. */
export function flatten(source: SchemaSource, schema: JsonNode): Flat {
  return new Flattening(source).run(schema, []);
}

const COMPLEX: Flat = { ok: false, reason: TOO_COMPLEX };

const flats = new WeakMap<JsonNode, Flat>();

/** Caches the flat schema by its node in the document. */
export function flattened(source: SchemaSource, schema: JsonNode): Flat {
  return cached(flats, schema, () => flatten(source, schema));
}

/** Returns a schema that requires all of `parts`. */
export function allOf(parts: readonly JsonNode[]): ObjectNode {
  return objectNode([["allOf", arrayNode(parts)]]);
}

/** `schema` without the given keywords. */
export function without(schema: ObjectNode, ...keywords: readonly string[]): ObjectNode {
  return { kind: "object", members: schema.members.filter((member) => !keywords.includes(member.key)) };
}

class Flattening {
  private merges = 0;

  constructor(private readonly source: SchemaSource) {}

  run(schema: JsonNode, trail: readonly JsonNode[]): Flat {
    if (schema.kind === "boolean") return schema.value ? { ok: true, schema: objectNode([]) } : NOTHING_FITS;
    if (schema.kind !== "object") {
      return { ok: false, reason: "The server’s schema is not valid here." };
    }
    if (trail.includes(schema)) {
      return { ok: false, reason: "The schema refers to itself endlessly here." };
    }
    const all = memberOf(schema, "allOf");
    if (++this.merges > MAX_MERGES || trail.length > 100 || !work(schema.members.length + widthOf(all))) {
      return COMPLEX;
    }
    const parts: JsonNode[] = [];
    const inner = [...trail, schema];
    for (const keyword of REFERENCES) {
      const ref = stringOf(memberOf(schema, keyword));
      if (ref === undefined) continue;
      const target = this.source.resolve(ref, schema);
      if (!target.ok) return target;
      parts.push(target.node);
    }
    for (const part of itemsOf(all)) parts.push(part);
    if (parts.length === 0) return { ok: true, schema };
    let merged: ObjectNode = without(schema, ...REFERENCES, "allOf");
    for (const part of parts) {
      const flat = this.run(part, inner);
      if (!flat.ok) return flat;
      if (!work(mergeWidth(merged, flat.schema))) return COMPLEX;
      const both = merge(merged, flat.schema);
      if (!both) return CONTRADICTION;
      merged = both;
    }
    return { ok: true, schema: merged };
  }
}

/** Returns the number of steps of {@link merge}. */
function mergeWidth(a: ObjectNode, b: ObjectNode): number {
  const shared = b.members.map(({ key, value }) => {
    const own = memberOf(a, key);
    return own && own !== value ? widthOf(own) + widthOf(value) : 0;
  });
  return shared.reduce((sum, width) => sum + width, a.members.length + b.members.length);
}

/** Merges two schemas; null if their types or values exclude each other. */
function merge(a: ObjectNode, b: ObjectNode): ObjectNode | null {
  if (a.members.length === 0) return b;
  const merged = new Map<string, JsonNode>(a.members.map((member) => [member.key, member.value]));
  const rest: [string, JsonNode][] = [];
  const conditionTaken = merged.has("if");
  for (const { key, value } of b.members) {
    const own = merged.get(key);
    if (key === "if" || key === "then" || key === "else") {
      if (conditionTaken) rest.push([key, value]);
      else merged.set(key, value);
    } else if (own === undefined) {
      merged.set(key, value);
    } else if (!sameValue(own, value)) {
      const both = (mergeByKeyword.get(key) ?? nearest)(own, value);
      if (both === null) return null;
      if (both === "apart") rest.push([key, value]);
      else merged.set(key, both);
    }
  }
  relabel(merged, a, b);
  if (rest.length > 0) {
    const apart = itemsOf(merged.get("allOf"));
    merged.set("allOf", arrayNode([...apart, objectNode(rest)]));
  }
  return objectNode(merged);
}

/** Lists of labels that run parallel to `enum`. */
const ENUM_LABELS = ["enumNames", "x-enumNames", "enumDescriptions", "x-enumDescriptions"];

/** Matches the labels to the values that two different enums have in common. */
function relabel(merged: Map<string, JsonNode>, a: ObjectNode, b: ObjectNode): void {
  const [own, other] = [memberOf(a, "enum"), memberOf(b, "enum")];
  if (!own || !other || sameValue(own, other)) return;
  for (const keyword of ENUM_LABELS) {
    if (!merged.has(keyword)) continue;
    const labels = new Map<string, JsonNode>();
    for (const part of [b, a]) {
      const texts = itemsOf(memberOf(part, keyword));
      itemsOf(memberOf(part, "enum")).forEach((value, at) => {
        const text = texts[at];
        if (text) labels.set(canonical(value), text);
      });
    }
    const common = itemsOf(merged.get("enum"));
    merged.set(keyword, arrayNode(common.map((value) => labels.get(canonical(value)) ?? NULL)));
  }
}

/** Merges the values of a keyword; null if they exclude each other, `apart` if both have to stay. */
type KeywordMerge = (a: JsonNode, b: JsonNode) => JsonNode | null | "apart";

const KEYWORD_MERGES: readonly (readonly [keywords: readonly string[], merge: KeywordMerge])[] = [
  [["type"], commonTypes],
  [["const"], () => null],
  [["enum"], commonValues],
  [["required"], union],
  [["allOf"], (a, b) => arrayNode([...itemsOf(a), ...itemsOf(b)])],
  [["properties", "patternProperties", "dependentSchemas"], (a, b) => mergeMaps(a, b, (x, y) => allOf([x, y]))],
  [["dependentRequired"], (a, b) => mergeMaps(a, b, union)],
  [["dependencies"], (a, b) => mergeMaps(a, b, bothDependencies)],
  [["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"], (a, b) => pick(a, b, 1)],
  [["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"], (a, b) => pick(a, b, -1)],
  [["items", "additionalProperties", "additionalItems", "unevaluatedProperties", "propertyNames"], bothSchemas],
  [["uniqueItems", "readOnly", "writeOnly", "deprecated"], (a, b) => booleanNode(isTrue(a) || isTrue(b))],
  [["nullable"], (a, b) => booleanNode(isTrue(a) && isTrue(b))],
  [["oneOf", "anyOf", "not", "contains", "prefixItems", "pattern", "multipleOf"], () => "apart"],
];
const mergeByKeyword = new Map(
  KEYWORD_MERGES.flatMap(([keywords, both]) => keywords.map((keyword) => [keyword, both] as const)),
);
/** Annotations and keywords that the form does not read: the nearest one counts. */
const nearest: KeywordMerge = (a) => a;

function bothDependencies(a: JsonNode, b: JsonNode): JsonNode {
  return a.kind === "array" && b.kind === "array" ? union(a, b) : allOf([a, b]);
}

function bothSchemas(a: JsonNode, b: JsonNode): JsonNode | "apart" {
  if (a.kind === "array" || b.kind === "array") return "apart";
  if (a.kind === "boolean") return a.value ? b : a;
  if (b.kind === "boolean") return b.value ? a : b;
  return allOf([a, b]);
}

function commonValues(a: JsonNode, b: JsonNode): JsonNode | null {
  const allowed = new Set(itemsOf(b).map(canonical));
  const common = itemsOf(a).filter((value) => allowed.has(canonical(value)));
  return common.length > 0 ? arrayNode(common) : null;
}

function union(a: JsonNode, b: JsonNode): JsonNode {
  const known = new Set(itemsOf(a).map(canonical));
  return arrayNode([...itemsOf(a), ...itemsOf(b).filter((value) => !known.has(canonical(value)))]);
}

function pick(a: JsonNode, b: JsonNode, direction: number): JsonNode {
  if (a.kind !== "number" || b.kind !== "number") return a;
  return compareNumbers(a.lexeme, b.lexeme) * direction >= 0 ? a : b;
}

function mergeMaps(a: JsonNode, b: JsonNode, both: (x: JsonNode, y: JsonNode) => JsonNode): JsonNode {
  if (a.kind !== "object" || b.kind !== "object") return a.kind === "object" ? a : b;
  const merged = new Map(a.members.map((member) => [member.key, member.value]));
  for (const { key, value } of b.members) {
    const own = merged.get(key);
    merged.set(key, own === undefined || own === value ? value : both(own, value));
  }
  return objectNode(merged);
}

function commonTypes(a: JsonNode, b: JsonNode): JsonNode | null {
  const left = typeNames(a);
  const right = typeNames(b);
  const common = new Set<string>();
  for (const type of left) {
    if (right.includes(type)) common.add(type);
    else if (type === "integer" && right.includes("number")) common.add(type);
    else if (type === "number" && right.includes("integer")) common.add("integer");
  }
  const [first, ...more] = [...common].map((value): JsonNode => ({ kind: "string", value }));
  if (!first) return null;
  return more.length === 0 ? first : arrayNode([first, ...more]);
}

/** Returns the names in a `type` keyword, which is a string or a list. */
export function typeNames(node: JsonNode | undefined): readonly string[] {
  if (node?.kind === "string") return [node.value];
  return itemsOf(node).flatMap((item) => stringOf(item) ?? []);
}
