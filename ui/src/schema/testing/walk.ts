/** Helpers of property tests for a schema and a value. */
import { settled, type JsonNode } from "../node";
import { parseJson } from "../parse";
import type { FieldPlan } from "../plan";
import { planField } from "../planner";
import { bestBranch } from "../planunion";
import type { SchemaSource } from "../source";

/** Parses JSON text. */
export function parsed(text: string): JsonNode {
  const result = parseJson(text);
  if (!result.ok) throw new Error(`${result.problem.message}: ${text}`);
  return result.node;
}

/** Walks plan and value together like the form does, over a bounded number of fields. */
export function walk(
  source: SchemaSource,
  schema: JsonNode,
  value: JsonNode | undefined,
  budget: { left: number },
  level = 0,
): void {
  if (--budget.left < 0 || level > 12) return;
  const plan: FieldPlan = planField(source, schema, value);
  const node = value && settled(value);
  if (plan.kind === "object") {
    for (const property of plan.properties) {
      const member = node?.kind === "object" ? node.members.find((m) => m.key === property.name)?.value : undefined;
      walk(source, property.schema, member, budget, level + 1);
    }
  } else if (plan.kind === "list") {
    for (const part of [...plan.prefix, ...(plan.rest ? [plan.rest] : [])]) {
      walk(source, part, node?.kind === "array" ? node.items[0]?.value : undefined, budget, level + 1);
    }
  } else if (plan.kind === "union") {
    bestBranch(source, plan, node);
    for (const branch of plan.branches) walk(source, branch.schema, node, budget, level + 1);
  }
}
