/** What can be told of a flat form without the validator: missing members, and values that do not fit. */
import type { FormDocument } from "./document";
import { fits } from "./evaluate";
import { memberOf, settled, stringOf } from "./node";
import type { Problem } from "./problems";
import { rootSchema } from "./root";

/** Problems of the members of a form, one level deep. */
export function shallowProblems(doc: FormDocument): Problem[] {
  const root = rootSchema(doc.source);
  const values = settled(doc.root);
  if (!root.ok || root.schema.kind !== "object" || values.kind !== "object") return [];
  const problems: Problem[] = [];
  const required = memberOf(root.schema, "required");
  for (const { value } of required?.kind === "array" ? required.items : []) {
    const name = stringOf(value);
    if (name !== undefined && !memberOf(values, name)) {
      problems.push({ instancePath: "", keyword: "required", message: `“${name}” is required.`, missing: name });
    }
  }
  const properties = memberOf(root.schema, "properties");
  for (const { key, value: schema } of properties?.kind === "object" ? properties.members : []) {
    const value = memberOf(values, key);
    if (value && !fits(doc.source, schema, value)) {
      problems.push({
        instancePath: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        keyword: "properties",
        message: "This does not match what the server asks for.",
      });
    }
  }
  return problems;
}
