/** Plans `oneOf` and `anyOf`: a nullable field, a menu of constants, or a choice of branches. */
import { cached } from "../lib/cached";
import { fits, hasType } from "./evaluate";
import { allOf, flatten, flattened, typeNames, without, type Flat } from "./merge";
import { itemsOf, memberOf, objectNode, settled, stringOf, type JsonNode, type ObjectNode } from "./node";
import { jsonPlan, type Branch, type Facts, type FieldPlan, type Option, type UnionPlan } from "./plan";
import { canonical, sameValue } from "./same";
import type { SchemaSource } from "./source";
import { TOO_COMPLEX, work } from "./work";
import { onlyValue, referenceName, valueInWords } from "./schemaWords";

const MAX_BRANCHES = 500;
/** Steps of work per branch, to see if it is null, impossible or a constant, and to name it. */
const STEPS_PER_BRANCH = 8;
const ANNOTATIONS = ["title", "description", "default", "examples", "example", "deprecated", "readOnly"];

/** Plans the first union in a flat schema; null without a union. `planRest` plans the schema without it. */
export function planUnion(
  source: SchemaSource,
  schema: ObjectNode,
  facts: Facts,
  planRest: (schema: ObjectNode) => FieldPlan,
): FieldPlan | null {
  const keyword = ["oneOf", "anyOf"].find((name) => memberOf(schema, name)?.kind === "array");
  if (keyword === undefined) return null;
  const all = itemsOf(memberOf(schema, keyword));
  const base = without(schema, keyword);
  if (!work(STEPS_PER_BRANCH * all.length)) return jsonPlan(facts, TOO_COMPLEX);
  if (all.length > MAX_BRANCHES)
    return jsonPlan(facts, `The schema offers ${all.length} alternatives, too many to choose from.`);

  const groups = all.map(requiredNames);
  if (all.length > 0 && groups.every((names) => names !== null)) {
    const hint = `${keyword === "oneOf" ? "exactly one" : "at least one"} of: ${groups.map((names) => names?.join(" + ")).join(", ")}`;
    const rest = flatten(source, base);
    const plan = rest.ok ? planRest(rest.schema) : jsonPlan(EMPTY_FACTS, rest.reason);
    return { ...plan, hints: [...facts.hints, hint] };
  }
  const branches = all.filter((branch) => !isNullSchema(source, branch) && !isImpossible(source, branch));
  const nullable = facts.nullable || all.some((branch) => isNullSchema(source, branch));
  const own = { ...facts, nullable };
  if (branches.length === 0) {
    return nullable
      ? { ...own, nullable: false, kind: "const", value: { kind: "null" } }
      : jsonPlan(own, "The schema allows no value here.");
  }
  const options = constantOptions(source, branches);
  if (options) return { ...own, kind: "choice", options };
  const bare = without(base, ...ANNOTATIONS);
  // A union of one branch is merged before the schema is planned, so one that remains refers to itself.
  if (branches.length === 1) return jsonPlan(own, "The schema refers to itself endlessly here.");
  const named = labels(source, branches);
  return {
    ...own,
    kind: "union",
    branches: branches.map((branch, at): Branch => {
      const flat = flattened(source, branch);
      return {
        label: named[at] ?? `Option ${at + 1}`,
        description: flat.ok ? stringOf(memberOf(flat.schema, "description")) : undefined,
        schema: bare.members.length === 0 ? branch : allOf([bare, branch]),
        own: branch,
      };
    }),
  };
}

/**
 * Merges a union with one branch beside null into its schema: it offers no choice, and the value has to decide its
 * conditions. Null if there is no such union.
 */
export function mergeOnlyBranch(source: SchemaSource, schema: ObjectNode): Flat | null {
  for (const keyword of ["oneOf", "anyOf"]) {
    const union = memberOf(schema, keyword);
    if (union?.kind !== "array") continue;
    if (!work(STEPS_PER_BRANCH * union.items.length)) return { ok: false, reason: TOO_COMPLEX };
    const branches = itemsOf(union).filter((branch) => !isNullSchema(source, branch) && !isImpossible(source, branch));
    const [only] = branches;
    if (!only || branches.length > 1 || requiredNames(only) !== null) return null;
    const flat = flattened(source, only);
    if (flat.ok && onlyValue(flat.schema)) return null;
    const merged = flatten(source, allOf([without(schema, keyword), only]));
    const nullable = itemsOf(union).some((branch) => isNullSchema(source, branch));
    if (!merged.ok || !nullable) return merged;
    const marked = objectNode([
      ...without(merged.schema, "nullable").members.map(({ key, value }) => [key, value] as const),
      ["nullable", { kind: "boolean", value: true }],
    ]);
    return { ok: true, schema: marked };
  }
  return null;
}

const EMPTY_FACTS: Facts = {
  title: undefined,
  description: undefined,
  default: undefined,
  examples: [],
  deprecated: false,
  readOnly: false,
  nullable: false,
  hints: [],
};

/** Returns the names that a branch requires, if it does nothing else ("at least one of"). */
function requiredNames(branch: JsonNode): string[] | null {
  if (branch.kind !== "object" || branch.members.length === 0) return null;
  const onlyRequires = branch.members.every((member) =>
    ["required", "title", "description", "not"].includes(member.key),
  );
  const names = itemsOf(memberOf(branch, "required")).flatMap((name) => stringOf(name) ?? []);
  return onlyRequires && names.length > 0 ? names : null;
}

function isNullSchema(source: SchemaSource, branch: JsonNode): boolean {
  const flat = flattened(source, branch);
  if (!flat.ok) return false;
  const types = typeNames(memberOf(flat.schema, "type"));
  return (types.length === 1 && types[0] === "null") || onlyValue(flat.schema)?.kind === "null";
}

function isImpossible(source: SchemaSource, branch: JsonNode): boolean {
  const flat = flattened(source, branch);
  return !flat.ok && flat.never === true;
}

/** Returns the branches as a menu if each allows exactly one value; otherwise null. */
export function constantOptions(source: SchemaSource, branches: readonly JsonNode[]): Option[] | null {
  const options: Option[] = [];
  for (const branch of branches) {
    const flat = flattened(source, branch);
    const value = flat.ok ? onlyValue(flat.schema) : undefined;
    if (!flat.ok || !value) return null;
    options.push({
      value,
      label: stringOf(memberOf(flat.schema, "title")) || valueInWords(value),
      description: stringOf(memberOf(flat.schema, "description")),
    });
  }
  return options;
}

/** Names each branch: by its title, its distinguishing value, the name of its definition, or its type. */
function labels(source: SchemaSource, branches: readonly JsonNode[]): string[] {
  const flats = branches.map((branch) => flattened(source, branch));
  const schemas = flats.map((flat) => (flat.ok ? flat.schema : undefined));
  const tag = discriminator(schemas);
  const seen = new Map<string, number>();
  return branches.map((branch, at) => {
    const schema = schemas[at];
    const constant = tag === null ? onlyValue(schema) : onlyValue(memberOf(memberOf(schema, "properties"), tag));
    const types = typeNames(memberOf(schema, "type"));
    const label =
      stringOf(memberOf(schema, "title")) ||
      (constant && valueInWords(constant)) ||
      referenceName(branch) ||
      stringOf(memberOf(schema, "format")) ||
      types.join(" or ") ||
      firstNames(schema) ||
      `Option ${at + 1}`;
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

function firstNames(schema: ObjectNode | undefined): string {
  const properties = memberOf(schema, "properties");
  if (properties?.kind !== "object") return "";
  return properties.members
    .slice(0, 3)
    .map((member) => member.key)
    .join(", ");
}

/** Returns the property that has a different fixed value in every branch. */
function discriminator(schemas: readonly (ObjectNode | undefined)[]): string | null {
  const first = memberOf(schemas[0], "properties");
  if (first?.kind !== "object") return null;
  for (const { key } of first.members.slice(0, 50)) {
    const values = schemas.map((schema) => onlyValue(memberOf(memberOf(schema, "properties"), key)));
    if (values.every((value) => value !== undefined)) {
      const distinct = new Set(values.map((value) => value && canonical(value)));
      if (distinct.size === values.length) return key;
    }
  }
  return null;
}

const branchIds = new WeakMap<JsonNode, string>();

/** Returns the id of a union inside a branch. It names branches by their schemas, as their positions can change. */
export function innerUnion(union: string, { own }: Branch): string {
  return `${union}/${cached(branchIds, own, () => encodeURIComponent(canonical(own)))}`;
}

/** Returns the index of the branch that the user picked for the value if the union has it, or else of the best one. */
export function chosenBranch(source: SchemaSource, plan: UnionPlan, value: JsonNode, union: string): number {
  const picked = value.notes?.choices.get(union);
  const at = picked ? plan.branches.findIndex(({ own }) => sameValue(own, picked)) : -1;
  return at < 0 ? bestBranch(source, plan, value) : at;
}

/** Returns the index of the branch that suits the value best: a branch that it fits, or else the most similar one. */
export function bestBranch(source: SchemaSource, plan: UnionPlan, value: JsonNode | undefined): number {
  if (!value) return 0;
  let best = 0;
  let bestScore = -Infinity;
  plan.branches.forEach((branch, at) => {
    if (!work(STEPS_PER_BRANCH)) return;
    const score = likeness(source, branch.schema, settled(value));
    if (score > bestScore) {
      best = at;
      bestScore = score;
    }
  });
  return best;
}

function likeness(source: SchemaSource, schema: JsonNode, value: JsonNode): number {
  if (fits(source, schema, value)) {
    // Of the fitting branches, prefer the one that knows most members.
    return 10_000 + knownMembers(source, schema, value);
  }
  const flat = flattened(source, schema);
  if (!flat.ok) return -1000;
  let score = 0;
  const types = typeNames(memberOf(flat.schema, "type"));
  if (types.length > 0) score += types.some((type) => hasType(value, type)) ? 100 : -100;
  const properties = memberOf(flat.schema, "properties");
  if (value.kind === "object" && properties?.kind === "object") {
    for (const { key, value: member } of value.members.slice(0, 200)) {
      const part = memberOf(properties, key);
      if (!part) continue;
      const constant = onlyValue(part);
      if (constant) score += sameValue(constant, member) ? 1000 : -1000;
      else score += fits(source, part, member) ? 2 : 1;
    }
  }
  return score;
}

function knownMembers(source: SchemaSource, schema: JsonNode, value: JsonNode): number {
  if (value.kind !== "object") return 0;
  const flat = flattened(source, schema);
  const properties = flat.ok ? memberOf(flat.schema, "properties") : undefined;
  return value.members.slice(0, 200).filter((member) => memberOf(properties, member.key) !== undefined).length;
}
