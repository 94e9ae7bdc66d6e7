/**
 * Checks if a value fits a schema, only to choose a branch of a union or a side of `if`. The validator behind the
 * window makes the verdict that the user sees. Everything undecidable here (unknown keywords, patterns, an exhausted
 * budget) counts as fitting. A server's pattern is never evaluated in the window, as it could block it.
 */
import { cached } from "../lib/cached";
import { compareNumbers, isMultipleOf, isWholeNumber } from "./decimal";
import { typeNames } from "./merge";
import { countOf, isTrue, itemsOf, memberOf, settled, stringOf, widthOf, type JsonNode, type ObjectNode } from "./node";
import { canonical, sameValue } from "./same";
import type { SchemaSource } from "./source";
import { work } from "./work";

const MAX_STEPS = 20_000;
const MAX_NESTING = 64;

const verdicts = new WeakMap<JsonNode, WeakMap<JsonNode, boolean>>();

export function fits(source: SchemaSource, schema: JsonNode, given: JsonNode): boolean {
  const value = settled(given);
  const known = cached(verdicts, schema, () => new WeakMap<JsonNode, boolean>());
  return cached(known, value, () => new Evaluation(source).fits(schema, value, 0));
}

export function hasType(value: JsonNode, type: string): boolean {
  const node = settled(value);
  if (type === "integer") return node.kind === "number" && isWholeNumber(node.lexeme);
  return node.kind === type;
}

class Evaluation {
  private steps = 0;
  /** Number of schemas and keywords that could not be checked and count as fitting. */
  private guesses = 0;

  constructor(private readonly source: SchemaSource) {}

  fits(schema: JsonNode, value: JsonNode, depth: number): boolean {
    if (schema.kind === "boolean") return schema.value;
    if (schema.kind !== "object") return true;
    if (depth > MAX_NESTING || !work(1)) return this.guess();
    for (const { key, value: rule } of schema.members) {
      if (++this.steps > MAX_STEPS || !work(1 + widthOf(rule))) return this.guess();
      if (!this.obeys(key, rule, schema, value, depth + 1)) return false;
    }
    return true;
  }

  private guess(): true {
    this.guesses++;
    return true;
  }

  private obeys(key: string, rule: JsonNode, schema: ObjectNode, value: JsonNode, depth: number): boolean {
    const before = this.guesses;
    switch (key) {
      case "$ref":
      case "$dynamicRef":
      case "$recursiveRef": {
        const target = this.source.resolve(stringOf(rule) ?? "", schema);
        return !target.ok || this.fits(target.node, value, depth);
      }
      case "type": {
        const types = typeNames(rule);
        const isNull = value.kind === "null" && isTrue(memberOf(schema, "nullable"));
        return types.length === 0 || types.some((type) => hasType(value, type)) || isNull;
      }
      case "const":
        return sameValue(rule, value);
      case "enum":
        return rule.kind !== "array" || itemsOf(rule).some((option) => sameValue(option, value));
      case "allOf":
        return itemsOf(rule).every((part) => this.fits(part, value, depth));
      case "anyOf":
        return rule.kind !== "array" || itemsOf(rule).some((part) => this.fits(part, value, depth));
      case "oneOf": {
        if (rule.kind !== "array") return true;
        const count = itemsOf(rule).filter((part) => this.fits(part, value, depth)).length;
        return count === 1 || (count > 1 && this.guesses > before);
      }
      case "not":
        return !this.fits(rule, value, depth) || this.guesses > before;
      case "if": {
        const next = memberOf(schema, this.fits(rule, value, depth) ? "then" : "else");
        return !next || this.fits(next, value, depth) || this.guesses > before;
      }
      case "pattern":
        return value.kind !== "string" || this.guess();
    }
    if (!work(widthOf(value))) return this.guess();
    if (value.kind === "object") return this.objectObeys(key, rule, schema, value, depth);
    if (value.kind === "array") return this.arrayObeys(key, rule, schema, value, depth);
    if (value.kind === "string") return stringObeys(key, rule, value.value);
    if (value.kind === "number") return numberObeys(key, rule, schema, value.lexeme);
    return true;
  }

  private objectObeys(key: string, rule: JsonNode, schema: ObjectNode, value: ObjectNode, depth: number): boolean {
    switch (key) {
      case "required":
        return itemsOf(rule).every((name) => name.kind !== "string" || memberOf(value, name.value) !== undefined);
      case "properties":
        return (
          rule.kind !== "object" ||
          rule.members.every(({ key: name, value: part }) => {
            const member = memberOf(value, name);
            return !member || this.fits(part, settled(member), depth);
          })
        );
      case "patternProperties":
        return this.guess();
      case "additionalProperties": {
        if (memberOf(schema, "patternProperties")) return this.guess();
        const named = memberOf(schema, "properties");
        return value.members.every(
          ({ key: name, value: member }) =>
            memberOf(named, name) !== undefined || this.fits(rule, settled(member), depth),
        );
      }
      case "propertyNames":
        return value.members.every((member) => this.fits(rule, { kind: "string", value: member.key }, depth));
      case "minProperties":
        return value.members.length >= (countOf(rule) ?? 0);
      case "maxProperties":
        return value.members.length <= (countOf(rule) ?? Infinity);
      case "dependentRequired":
      case "dependentSchemas":
      case "dependencies":
        return (
          rule.kind !== "object" ||
          rule.members.every(({ key: name, value: part }) => {
            if (memberOf(value, name) === undefined) return true;
            if (part.kind !== "array") return this.fits(part, value, depth);
            return itemsOf(part).every((needed) => memberOf(value, stringOf(needed) ?? "") !== undefined);
          })
        );
      default:
        return true;
    }
  }

  private arrayObeys(key: string, rule: JsonNode, schema: ObjectNode, value: JsonNode, depth: number): boolean {
    const items = itemsOf(value).map(settled);
    switch (key) {
      case "prefixItems":
        return itemsOf(rule).every((part, at) => !items[at] || this.fits(part, items[at], depth));
      case "items": {
        if (rule.kind === "array") {
          return itemsOf(rule).every((part, at) => !items[at] || this.fits(part, items[at], depth));
        }
        const from = itemsOf(memberOf(schema, "prefixItems")).length;
        return items.slice(from).every((item) => this.fits(rule, item, depth));
      }
      case "additionalItems": {
        const tuple = memberOf(schema, "items");
        const from = tuple?.kind === "array" ? tuple.items.length : Infinity;
        return items.slice(from).every((item) => this.fits(rule, item, depth));
      }
      case "contains":
        return memberOf(schema, "minContains") !== undefined || items.some((item) => this.fits(rule, item, depth));
      case "minItems":
        return items.length >= (countOf(rule) ?? 0);
      case "maxItems":
        return items.length <= (countOf(rule) ?? Infinity);
      case "uniqueItems":
        return rule.kind !== "boolean" || !rule.value || new Set(items.map(canonical)).size === items.length;
      default:
        return true;
    }
  }
}

function stringObeys(key: string, rule: JsonNode, value: string): boolean {
  switch (key) {
    case "minLength":
      return lengthOf(value) >= (countOf(rule) ?? 0);
    case "maxLength":
      return lengthOf(value) <= (countOf(rule) ?? Infinity);
    default:
      return true;
  }
}

/** Length in characters, not UTF-16 units (2020-12 validation, 6.3.1). */
function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

/** Number keywords; draft-04 has boolean `exclusiveMinimum`, later drafts a number. */
export function numberObeys(key: string, rule: JsonNode, schema: ObjectNode, lexeme: string): boolean {
  if (rule.kind !== "number") return true;
  const order = compareNumbers(lexeme, rule.lexeme);
  switch (key) {
    case "minimum":
      return order > 0 || (order === 0 && !isTrue(memberOf(schema, "exclusiveMinimum")));
    case "maximum":
      return order < 0 || (order === 0 && !isTrue(memberOf(schema, "exclusiveMaximum")));
    case "exclusiveMinimum":
      return order > 0;
    case "exclusiveMaximum":
      return order < 0;
    case "multipleOf":
      return isMultipleOf(lexeme, rule.lexeme);
    default:
      return true;
  }
}
