import { BackendError, type Backend } from "../../ipc/backend";
import type { DocumentRow, DocumentSource } from "../../ipc/bindings";
import { parseJson } from "../../schema/parse";
import { printNode } from "../../schema/print";
import type { JsonNode } from "../../schema/node";
import type { DocumentSession } from "./documentSession";
import { nodeSteps } from "./nodePath";

/** Larger documents are saved, not copied: the clipboard and the window would hold them whole. */
export const MOST_COPIED = 16 * 1024 * 1024;

type NodeRow = Extract<DocumentRow, { type: "node" }>;

/** The whole document as received. */
export async function wholeText(backend: Backend, source: DocumentSource, bytes: number): Promise<string> {
  if (bytes > MOST_COPIED) throw tooLarge();
  return new TextDecoder().decode(await backend.readBytes(source));
}

/** The value of a node: strings without quotes and escapes, all else as JSON with its own digits. */
export async function nodeValue(
  backend: Backend,
  session: DocumentSession,
  source: DocumentSource,
  row: number,
  node: NodeRow,
  bytes: number,
): Promise<string> {
  const container = node.kind === "object" || node.kind === "array";
  if (!container && !node.truncated) {
    return node.kind === "string" ? decodedString(node.value) : node.value;
  }
  const steps = nodeSteps(await session.ancestors(row));
  const parsed = parseJson(await wholeText(backend, source, bytes));
  if (!parsed.ok) throw new BackendError({ code: "invalid_input", message: parsed.problem.message });
  const value = follow(parsed.node, steps);
  if (!value) throw new BackendError({ code: "not_found", message: "This value no longer exists." });
  return value.kind === "string" ? value.value : printNode(value);
}

/** The node at a path; the last one of a repeated key, as JSON readers take it. */
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

function decodedString(literal: string): string {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? value : literal;
  } catch {
    return literal;
  }
}

function tooLarge(): BackendError {
  return new BackendError({
    code: "invalid_input",
    message: "This is too large to copy. Save it to a file instead.",
  });
}
