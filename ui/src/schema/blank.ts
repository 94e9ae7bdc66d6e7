/**
 * Initial value of a field that is added: its default, or else the smallest value that its kind allows. All of it is
 * visible in the form; hidden fields are not filled in.
 */
import { EMPTY_ARRAY, EMPTY_OBJECT, NULL, arrayNode, booleanNode, memberIndex, memberOf, numberNode } from "./node";
import { nextId, settled, stringNode, type JsonNode, type Member, type ObjectNode } from "./node";
import type { FieldPlan, NumberPlan } from "./plan";
import { fits, numberObeys } from "./evaluate";
import { planField } from "./planner";
import { bestBranch } from "./planunion";
import type { SchemaSource } from "./source";

const MAX_NESTING = 6;
const MAX_PREFILLED = 500;
const MAX_FIRST_ITEMS = 5;

interface Budget {
  left: number;
}

/** Returns the initial value of a field that the user adds. */
export function blankValue(source: SchemaSource, schema: JsonNode): JsonNode {
  return blank(source, schema, 0, { left: MAX_PREFILLED });
}

function blank(source: SchemaSource, schema: JsonNode, depth: number, budget: Budget): JsonNode {
  const plan = planField(source, schema, undefined);
  // An optional value often has the default null; adding the field asks for a value.
  if (plan.default && !(plan.nullable && plan.default.kind === "null")) return plan.default;
  switch (plan.kind) {
    case "text":
      return stringNode("");
    case "number":
      return blankNumber(plan);
    case "boolean":
      return booleanNode(false);
    case "choice":
      return plan.options[0]?.value ?? NULL;
    case "const":
      return plan.value;
    case "many":
      return EMPTY_ARRAY;
    case "json":
      return NULL;
    case "object":
      return depth > MAX_NESTING ? EMPTY_OBJECT : prefilled(source, schema, depth, budget);
    case "list": {
      const count = Math.min(
        Math.max(plan.minItems, plan.prefix.length),
        Math.max(MAX_FIRST_ITEMS, plan.prefix.length),
      );
      if (depth > MAX_NESTING || budget.left < count) return EMPTY_ARRAY;
      budget.left -= count;
      const items: JsonNode[] = [];
      for (let at = 0; at < count; at++) {
        const part = plan.prefix[at] ?? plan.rest;
        if (part) items.push(blank(source, part, depth + 1, budget));
      }
      return arrayNode(items);
    }
    case "union": {
      const first = plan.branches[0];
      return first && depth <= MAX_NESTING ? blank(source, first.schema, depth + 1, budget) : NULL;
    }
  }
}

function blankNumber(plan: NumberPlan): JsonNode {
  const example = plan.examples.find((node) => node.kind === "number");
  if (obeysAll(plan, "0")) return numberNode("0");
  if (example) return example;
  const bound = memberOf(plan.rules, "minimum") ?? memberOf(plan.rules, "maximum");
  if (bound?.kind === "number" && obeysAll(plan, bound.lexeme)) return bound;
  return numberNode(obeysAll(plan, "1") ? "1" : "0");
}

function obeysAll(plan: NumberPlan, lexeme: string): boolean {
  return plan.rules.members.every(({ key, value }) => numberObeys(key, value, plan.rules, lexeme));
}

/**
 * Builds an object with the required members that have a default or only one possible value, and with required objects
 * filled likewise.
 */
export function prefilled(
  source: SchemaSource,
  schema: JsonNode,
  depth = 0,
  budget: Budget = { left: MAX_PREFILLED },
): ObjectNode {
  let filled = EMPTY_OBJECT;
  // A filled member can switch a condition, which can require further members.
  for (let round = 0; round < 4; round++) {
    const plan = resolveBranches(source, planField(source, schema, filled), filled);
    if (plan.kind !== "object") return filled;
    const before = filled;
    for (const property of plan.properties) {
      if (!property.required || memberIndex(filled, property.name) >= 0) continue;
      if (--budget.left < 0) return filled;
      const start = prefilledMember(source, property.schema, depth, budget);
      if (start) filled = insertMember(filled, property.name, start, plan.order);
    }
    if (filled === before) break;
  }
  return filled;
}

function prefilledMember(source: SchemaSource, schema: JsonNode, depth: number, budget: Budget): JsonNode | undefined {
  const plan = planField(source, schema, undefined);
  if (plan.default) return plan.default;
  if (plan.kind === "const") return plan.value;
  if (plan.kind === "object" && !plan.nullable && depth < MAX_NESTING) {
    return prefilled(source, schema, depth + 1, budget);
  }
  return undefined;
}

/** Follows unions to the plan of the branch that matches the value. */
function resolveBranches(source: SchemaSource, plan: FieldPlan, value: JsonNode): FieldPlan {
  let at = plan;
  for (let level = 0; at.kind === "union" && level < 16; level++) {
    const branch = at.branches[bestBranch(source, at, value)];
    if (!branch) break;
    at = planField(source, branch.schema, value);
  }
  return at;
}

/** Inserts a member at its place in the schema's order, without moving existing members. */
export function insertMember(
  node: ObjectNode,
  key: string,
  value: JsonNode,
  order: readonly string[] = [],
): ObjectNode {
  const member: Member = { id: nextId(node.members), key, value };
  return { ...node, members: node.members.toSpliced(place(node, key, order), 0, member) };
}

function place(node: ObjectNode, key: string, order: readonly string[]): number {
  const rank = order.indexOf(key);
  if (rank < 0) return node.members.length;
  const present = new Map(node.members.map((member, index) => [member.key, index]));
  for (let before = rank - 1; before >= 0; before--) {
    const index = present.get(order[before] ?? "");
    if (index !== undefined) return index + 1;
  }
  for (let after = rank + 1; after < order.length; after++) {
    const index = present.get(order[after] ?? "");
    if (index !== undefined) return index;
  }
  return node.members.length;
}

/** Returns the initial value of another branch, with the members that both branches know taken over. */
export function carriedOver(
  source: SchemaSource,
  from: JsonNode | undefined,
  schema: JsonNode,
  start: JsonNode,
): JsonNode {
  if (!from) return start;
  const old = settled(from);
  if (fits(source, schema, old) && old.kind !== "object") return old;
  if (old.kind !== "object" || start.kind !== "object") return start;
  const plan = resolveBranches(source, planField(source, schema, start), start);
  if (plan.kind !== "object") return start;
  const known = new Map<string, JsonNode>();
  for (const { name, schema: of } of plan.properties) {
    const value = memberOf(old, name);
    if (value && fits(source, of, value)) known.set(name, value);
  }
  const members = start.members.map((member) => ({ ...member, value: known.get(member.key) ?? member.value }));
  let carried: ObjectNode = { ...start, members };
  for (const [name, value] of known) {
    if (!memberOf(start, name)) carried = insertMember(carried, name, value, plan.order);
  }
  return carried;
}
