/** The schema of the arguments as a whole: MCP arguments are always an object. */
import { cached } from "../lib/cached";
import { typeNames } from "./merge";
import { memberOf, objectNode, stringNode, type JsonNode } from "./node";
import { planField } from "./planner";
import type { FieldPlan } from "./plan";
import type { SchemaSource } from "./source";
import { kindInWords } from "./node";

export type RootSchema =
  | { readonly ok: true; readonly schema: JsonNode }
  | { readonly ok: false; readonly reason: string };

const roots = new WeakMap<SchemaSource, RootSchema>();

export function rootSchema(source: SchemaSource): RootSchema {
  return cached(roots, source, () => read(source));
}

function read(source: SchemaSource): RootSchema {
  const { root } = source;
  if (!root) return refuse(source.failure ?? "There is no schema.");
  if (root.kind === "boolean") {
    return refuse(
      root.value
        ? "The schema is “true”: it allows anything."
        : "The schema is “false”: it allows no arguments at all.",
    );
  }
  if (root.kind !== "object") return refuse(`The server's schema is ${kindInWords(root)}, not a schema.`);
  const plan = planField(source, root, undefined);
  if (isObjectLike(source, plan, new Set())) return { ok: true, schema: root };
  if (plan.kind !== "json") {
    return refuse("The schema requires something other than an object, but a tool's arguments are always an object.");
  }
  const untyped = typeNames(memberOf(root, "type")).length === 0 && plan.reason === "The schema allows any value here.";
  if (!untyped) return refuse(plan.reason);
  const typed = objectNode([
    ["type", stringNode("object")],
    ["allOf", { kind: "array", items: [{ id: 0, value: root }] }],
  ]);
  return planField(source, typed, undefined).kind === "json" ? refuse(plan.reason) : { ok: true, schema: typed };
}

/** `known` are the unions visited so far. */
function isObjectLike(source: SchemaSource, plan: FieldPlan, known: Set<FieldPlan>, level = 0): boolean {
  if (plan.kind === "object") return true;
  if (plan.kind !== "union" || level > 8 || known.has(plan)) return false;
  known.add(plan);
  return plan.branches.some((branch) =>
    isObjectLike(source, planField(source, branch.schema, undefined), known, level + 1),
  );
}

function refuse(reason: string): RootSchema {
  return { ok: false, reason };
}
