/** Checks of a flat form without the validator: missing members, and values that do not fit. */
import type { FormDocument } from "./document";
import { fits } from "./evaluate";
import { formatProblem } from "./formats";
import { isBlank, itemsOf, memberOf, settled, stringOf, type JsonNode } from "./node";
import { planField } from "./planner";
import type { Problem } from "./problems";
import { rootSchema } from "./root";
import { pointerOf } from "./source";

/** Lists the problems of the members of a form, one level deep. */
export function shallowProblems(doc: FormDocument): Problem[] {
  const root = rootSchema(doc.source);
  const node = settled(doc.root);
  if (!root.ok || root.schema.kind !== "object" || node.kind !== "object") return [];
  const values = { ...node, members: node.members.filter((member) => !isBlank(member.value)) };
  const problems: Problem[] = [];
  for (const required of itemsOf(memberOf(root.schema, "required"))) {
    const name = stringOf(required);
    if (name !== undefined && !memberOf(values, name)) {
      problems.push({ instancePath: "", keyword: "required", message: `“${name}” is required.`, missing: name });
    }
  }
  const properties = memberOf(root.schema, "properties");
  for (const { key, value: schema } of properties?.kind === "object" ? properties.members : []) {
    const value = memberOf(values, key);
    const wrong = value && problemOf(doc, schema, settled(value));
    if (wrong) {
      problems.push({ instancePath: pointerOf([key]), keyword: "properties", message: wrong });
    }
  }
  return problems;
}

/** Describes the problem of one value, with the schema's hints if it has any. */
function problemOf(doc: FormDocument, schema: JsonNode, value: JsonNode): string | null {
  if (!fits(doc.source, schema, value)) {
    const { hints } = planField(doc.source, schema, value);
    return hints.length === 0
      ? "This does not match what the server asks for."
      : `This does not match what the server asks for: ${hints.join(", ")}.`;
  }
  const text = stringOf(value);
  return text === undefined ? null : formatProblem(stringOf(memberOf(schema, "format")), text);
}
