import { BackendError, type Backend } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { valueIn } from "../../lib/valueIn";
import { follow } from "../../schema/follow";
import { parseJson } from "../../schema/parse";
import { printNode } from "../../schema/print";
import { wholeText } from "../../state/wholeText";
import type { DocumentSession } from "./documentSession";
import { nodeSteps, type NodeRow } from "./nodePath";

/**
 * Returns the value of a node: strings without quotes and escapes, everything else as JSON with its original digits.
 */
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

function decodedString(literal: string): string {
  const value = valueIn(literal);
  return typeof value === "string" ? value : literal;
}
