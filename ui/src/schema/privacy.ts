/** Schemas whose values must not be written to disk. */
import { isTrue, memberOf, stringOf, type JsonNode } from "./node";
import { parseJson } from "./parse";

/**
 * Returns true if a schema has fields whose values must not be written to disk: `format: "password"` or `writeOnly:
 * true` anywhere in it. Returns false for text that is not JSON. A schema nested too deeply to read counts as private
 * if it has either name.
 */
export function hasPrivateFields(schemaText: string): boolean {
  if (!/"password"|"writeOnly"/.test(schemaText)) return false;
  const parsed = parseJson(schemaText);
  if (!parsed.ok) return parsed.problem.tooDeep;
  const open: JsonNode[] = [parsed.node];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === "array") for (const item of node.items) open.push(item.value);
    if (node.kind !== "object") continue;
    if (stringOf(memberOf(node, "format")) === "password" || isTrue(memberOf(node, "writeOnly"))) return true;
    for (const member of node.members) open.push(member.value);
  }
  return false;
}
