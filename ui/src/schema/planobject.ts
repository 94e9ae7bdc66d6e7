/** The plan of an object: named properties, and members with free names. */
import { itemsOf, memberOf, stringOf, type JsonNode, type ObjectNode } from "./node";
import { safePattern } from "./pattern";
import type { Facts, ObjectPlan, Property } from "./plan";

const ANYTHING: JsonNode = { kind: "boolean", value: true };

export function planObject(schema: ObjectNode, facts: Facts): ObjectPlan {
  const named = memberOf(schema, "properties");
  const required = new Set(itemsOf(memberOf(schema, "required")).map(stringOf));
  const patterns = memberOf(schema, "patternProperties");
  const rules =
    patterns?.kind === "object" ? patterns.members.map(({ key, value }) => ({ source: key, schema: value })) : [];
  const additional = memberOf(schema, "additionalProperties") ?? memberOf(schema, "unevaluatedProperties");
  const closed = additional?.kind === "boolean" && !additional.value;

  const properties = new Map<string, Property>();
  if (named?.kind === "object") {
    for (const { key, value } of named.members) {
      properties.set(key, { name: key, schema: value, required: required.has(key) });
    }
  }
  // A required name without a property still has to be asked for.
  for (const name of required) {
    if (name === undefined || properties.has(name)) continue;
    const rule = rules.find(({ source }) => safePattern(source)?.test(name));
    properties.set(name, {
      name,
      schema: rule?.schema ?? (closed ? ANYTHING : (additional ?? ANYTHING)),
      required: true,
    });
  }
  return {
    ...facts,
    kind: "object",
    properties: [...properties.values()],
    order: [...properties.keys()],
    patterns: rules,
    additional: closed ? undefined : additional,
    closed: closed && rules.length === 0,
    isMap: rules.length > 0 || (additional !== undefined && !closed) || (properties.size === 0 && !closed),
  };
}

/** The schema of the member `key`, which is not among the named properties. */
export function otherMemberSchema(plan: ObjectPlan, key: string): JsonNode {
  const rule = plan.patterns.find(({ source }) => safePattern(source)?.test(key));
  return rule?.schema ?? plan.additional ?? ANYTHING;
}

/** Whether the schema allows a member of this name at all. */
export function allowsMember(plan: ObjectPlan, key: string): boolean {
  if (!plan.closed && plan.patterns.length === 0) return true;
  return plan.order.includes(key) || plan.patterns.some(({ source }) => safePattern(source)?.test(key) ?? true);
}
