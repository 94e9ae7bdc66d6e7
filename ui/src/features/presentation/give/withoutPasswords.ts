import { MAX_UNIONS } from "../../../components/form/FieldBody";
import { argumentsSchema, type FormDocument } from "../../../schema/document";
import { flattened } from "../../../schema/merge";
import { booleanNode, isBlank, isTrue, memberOf, settled, stringNode, type JsonNode } from "../../../schema/node";
import { planField } from "../../../schema/planner";
import { chosenBranch, innerUnion } from "../../../schema/planunion";
import { mayHavePrivateFields } from "../../../schema/privacy";
import type { SchemaSource } from "../../../schema/source";

/** Stands for a value in which passwords cannot be told from the rest, so that it is not sent unseen. */
const HIDDEN = stringNode("Not shown: it may contain a password.");
const ANYTHING = booleanNode(true);

/** Returns the arguments without the passwords at any depth; `null` if nothing else is left. */
export function withoutPasswords(document: FormDocument): JsonNode | null {
  const schema = argumentsSchema(document);
  if (schema.ok && !document.problem) return visiblePart(document.source, schema.schema, document.root);
  const { root } = document.source;
  return root && mayHavePrivateFields(document.source, root) ? HIDDEN : settled(document.root);
}

/** Walks plan and value like the form does. `union` is the id of the union around the value, as in its notes. */
function visiblePart(source: SchemaSource, schema: JsonNode, value: JsonNode, union = ""): JsonNode | null {
  const node = settled(value);
  if (!mayHavePrivateFields(source, schema)) return node;
  const plan = planField(source, schema, value);
  if (plan.kind === "text" && plan.secret) return null;
  if (isBlank(value) || node.kind === "null") return node;
  const flat = flattened(source, schema);
  if (flat.ok && isTrue(memberOf(flat.schema, "writeOnly"))) return HIDDEN;
  switch (plan.kind) {
    case "object": {
      if (node.kind !== "object") return HIDDEN;
      const members = node.members.flatMap((member) => {
        const own = plan.properties.find(({ name }) => name === member.key)?.schema ?? plan.other;
        const visible = visiblePart(source, own, member.value);
        return visible ? [{ ...member, value: visible }] : [];
      });
      return members.length === 0 && node.members.length > 0 ? null : { ...node, members };
    }
    case "list": {
      if (node.kind !== "array") return HIDDEN;
      const items = node.items.flatMap((item, index) => {
        const visible = visiblePart(source, plan.prefix[index] ?? plan.rest ?? ANYTHING, item.value);
        return visible ? [{ ...item, value: visible }] : [];
      });
      return items.length === 0 && node.items.length > 0 ? null : { ...node, items };
    }
    case "union": {
      const at = chosenBranch(source, plan, value, union);
      const branch = plan.branches[at];
      if (!branch || union.split("/").length > MAX_UNIONS) return HIDDEN;
      return visiblePart(source, branch.schema, value, innerUnion(union, branch));
    }
    case "json":
      return HIDDEN;
    case "text":
    case "number":
    case "boolean":
    case "choice":
    case "const":
    case "many":
      return node;
  }
}
