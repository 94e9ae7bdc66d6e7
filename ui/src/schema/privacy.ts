/** Schemas whose values must not be written to disk. */
import { cached } from "../lib/cached";
import { isTrue, memberOf, stringOf, type JsonNode } from "./node";
import { parseJson } from "./parse";
import type { SchemaSource } from "./source";

/**
 * Returns true if a schema has fields whose values must not be written to disk: `format: "password"` or `writeOnly:
 * true` anywhere in it. Returns false for text that is not JSON. A schema nested too deeply to read counts as private
 * if it has either name.
 */
export function hasPrivateFields(schemaText: string): boolean {
  if (!/"password"|"writeOnly"/.test(schemaText)) return false;
  const parsed = parseJson(schemaText);
  return parsed.ok ? hasObject(parsed.node, isPrivate) : parsed.problem.tooDeep;
}

const privacy = new WeakMap<JsonNode, boolean>();

/**
 * Returns true if a part of the schema `source` has private fields, itself or behind a reference. A reference may lead
 * to any private field of the source.
 */
export function mayHavePrivateFields({ root }: SchemaSource, part: JsonNode): boolean {
  return cached(privacy, part, () => {
    if (hasObject(part, isPrivate)) return true;
    return root !== null && root !== part && hasObject(part, isReference) && hasObject(root, isPrivate);
  });
}

function isPrivate(schema: JsonNode): boolean {
  return stringOf(memberOf(schema, "format")) === "password" || isTrue(memberOf(schema, "writeOnly"));
}

function isReference(schema: JsonNode): boolean {
  return ["$ref", "$dynamicRef", "$recursiveRef"].some((key) => memberOf(schema, key) !== undefined);
}

function hasObject(root: JsonNode, matches: (node: JsonNode) => boolean): boolean {
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === "array") for (const item of node.items) open.push(item.value);
    if (node.kind !== "object") continue;
    if (matches(node)) return true;
    for (const member of node.members) open.push(member.value);
  }
  return false;
}
