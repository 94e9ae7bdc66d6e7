/** Equality of values as JSON Schema sees it (2020-12 core, 4.2.2). */
import { canonicalNumber } from "./decimal";
import { settled, type JsonNode } from "./node";
import { work } from "./work";

const keys = new WeakMap<JsonNode, string>();

/** Returns the same text for equal values: numbers by value, members in any order. */
export function canonical(given: JsonNode): string {
  const node = settled(given);
  switch (node.kind) {
    case "null":
      return "null";
    case "boolean":
      return String(node.value);
    case "number":
      return canonicalNumber(node.lexeme);
    case "string":
      return JSON.stringify(node.value);
    case "raw":
      return `raw:${node.text}`;
  }
  let key = keys.get(node);
  if (key === undefined) {
    key =
      node.kind === "array"
        ? `[${node.items.map((item) => canonical(item.value)).join(",")}]`
        : `{${[...new Map(node.members.map((m) => [m.key, m.value]))]
            .map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`)
            .sort()
            .join(",")}}`;
    keys.set(node, key);
    work(key.length >> 6);
  }
  return key;
}

export function sameValue(a: JsonNode, b: JsonNode): boolean {
  const [one, other] = [settled(a), settled(b)];
  if (one === other) return true;
  if (one.kind === "string" && other.kind === "string") return one.value === other.value;
  return one.kind === other.kind && canonical(one) === canonical(other);
}
