/**
 * Plans an object: named properties, and members with free names. A server's pattern is never evaluated in the window,
 * as it could block it: any member with a free name may have the schema of any pattern. The validator behind the window
 * reports violations.
 */
import { arrayNode, itemsOf, memberOf, objectNode, stringOf, type JsonNode, type ObjectNode } from "./node";
import type { Facts, ObjectPlan, Property } from "./plan";
import { canonical } from "./same";

const ANYTHING: JsonNode = { kind: "boolean", value: true };

export function planObject(schema: ObjectNode, facts: Facts): ObjectPlan {
  const named = memberOf(schema, "properties");
  const required = new Set(itemsOf(memberOf(schema, "required")).map(stringOf));
  const patterns = memberOf(schema, "patternProperties");
  const byPattern = patterns?.kind === "object" ? patterns.members.map(({ value }) => value) : [];
  const additional = memberOf(schema, "additionalProperties") ?? memberOf(schema, "unevaluatedProperties");
  const closed = additional?.kind === "boolean" && !additional.value;

  const properties = new Map<string, Property>();
  if (named?.kind === "object") {
    for (const { key, value } of named.members) {
      properties.set(key, { name: key, schema: value, required: required.has(key) });
    }
  }
  const other = otherMembers(byPattern, closed ? undefined : additional);
  // A required name without a property still needs a field.
  for (const name of required) {
    if (name === undefined || properties.has(name)) continue;
    properties.set(name, { name, schema: other, required: true });
  }
  return {
    ...facts,
    kind: "object",
    properties: [...properties.values()],
    order: [...properties.keys()],
    other,
    closed: closed && byPattern.length === 0,
    isMap: byPattern.length > 0 || (additional !== undefined && !closed) || (properties.size === 0 && !closed),
  };
}

/** The schema of a member that is not among the named properties. */
function otherMembers(byPattern: readonly JsonNode[], additional: JsonNode | undefined): JsonNode {
  if (byPattern.length === 0) return additional ?? ANYTHING;
  const all = additional?.kind === "object" ? [...byPattern, additional] : byPattern;
  const [only = ANYTHING, ...more] = new Map(all.map((part) => [canonical(part), part])).values();
  return more.length === 0 ? only : objectNode([["anyOf", arrayNode([only, ...more])]]);
}
