import type { JsonNode } from "./node";

/** Returns the node at a path; of repeated keys the last one, as in JSON parsers. */
export function follow(root: JsonNode, steps: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of steps) {
    if (node?.kind === "array" && typeof step === "number") node = node.items[step]?.value;
    else if (node?.kind === "object" && typeof step === "string") {
      node = node.members.findLast((member) => member.key === step)?.value;
    } else return undefined;
  }
  return node;
}
