import { shapeOf, MAX_UNIONS } from "../../../components/form/FieldBody";
import { OPEN_LEVELS } from "../../../components/form/FieldView";
import { isTickable } from "../../../components/form/ManyControl";
import { hasFields } from "../../../components/form/PlainForm";
import { inWords } from "../../../lib/inWords";
import { partsOf } from "../../../lib/visible";
import { argumentsSchema, toText, type FormDocument } from "../../../schema/document";
import { booleanNode, isBlank, memberIndex, settled, type JsonNode } from "../../../schema/node";
import { planField } from "../../../schema/planner";
import { chosenBranch, innerUnion } from "../../../schema/planunion";
import type { SchemaSource } from "../../../schema/source";
import { textOf } from "./result/Values";
import { withoutPasswords } from "./withoutPasswords";

/** A value that a run sends. */
export interface SentValue {
  readonly key: string;
  readonly name: string;
  /** Full text of the value. */
  readonly text: string;
}

/** Longest text that a field shows completely, in characters. */
const MOST_TEXT = 120;
/** Limit of entries of a shown group, as long ones continue on another page. */
const MOST_ENTRIES = 40;

/**
 * Returns the values that a run sends but the form does not show completely: values without a field, values that only
 * JSON can hold, long values, and values with invisible characters. If in doubt, a value is listed. Passwords are left
 * out, as an audience reads along.
 */
export function sentUnshown(document: FormDocument): readonly SentValue[] {
  const root = settled(document.root);
  const visible = withoutPasswords(document);
  if (visible === null) return [];
  if (document.problem || root.kind !== "object" || visible.kind !== "object") {
    return [{ key: "", name: "Everything", text: visible === root ? toText(document) : textOf(visible) }];
  }
  const parts = new Map(visible.members.map((member) => [member.id, member.value]));
  const schema = argumentsSchema(document);
  const plan = schema.ok && hasFields(document) ? planField(document.source, schema.schema, document.root) : null;
  const fields = new Map(plan?.kind === "object" ? plan.properties.map((each) => [each.name, each.schema]) : []);
  return root.members.flatMap(({ id, key, value }, index) => {
    const part = parts.get(id);
    if (isBlank(value) || !part) return [];
    const field = fields.get(key);
    // The form shows the last member of a repeated name.
    if (field && memberIndex(root, key) === index && isShown(document.source, field, value, 1)) return [];
    const title = field && planField(document.source, field, value).title;
    return [{ key: `${id}`, name: title ?? inWords(key), text: textOf(settled(part)) }];
  });
}

const ANYTHING = booleanNode(true);

/** True if a field shows the whole value without a click. */
function isShown(source: SchemaSource, schema: JsonNode, value: JsonNode, level: number, union = ""): boolean {
  const plan = planField(source, schema, value);
  const node = settled(value);
  const shape = shapeOf(plan, value);
  if (shape !== "control") return shape === "null";
  switch (plan.kind) {
    case "text":
      return plan.secret || (node.kind === "string" && isPlain(node.value));
    case "number":
    case "boolean":
    case "choice":
      return true;
    case "many":
      return isTickable(plan, value);
    case "object":
      return (
        node.kind === "object" &&
        level <= OPEN_LEVELS &&
        node.members.length <= MOST_ENTRIES &&
        node.members.every((member, index) => {
          const own = plan.properties.find(({ name }) => name === member.key)?.schema;
          return (
            memberIndex(node, member.key) === index &&
            (own !== undefined || isPlain(member.key)) &&
            isShown(source, own ?? plan.other, member.value, level + 1)
          );
        })
      );
    case "list":
      return (
        node.kind === "array" &&
        level <= OPEN_LEVELS &&
        node.items.length <= MOST_ENTRIES &&
        node.items.every((item, index) =>
          isShown(source, plan.prefix[index] ?? plan.rest ?? ANYTHING, item.value, level + 1),
        )
      );
    case "union": {
      const at = chosenBranch(source, plan, value, union);
      const branch = plan.branches[at];
      if (!branch || union.split("/").length > MAX_UNIONS) return false;
      return isShown(source, branch.schema, value, level, innerUnion(union, branch));
    }
    case "const":
    case "json":
      return false;
  }
}

function isPlain(text: string): boolean {
  return text.length <= MOST_TEXT && partsOf(text, true).every((part) => typeof part === "string");
}
