import type { ContentBlock, OperationOutcome } from "../../ipc/bindings";
import { itemsOf, stringOf, memberOf, type JsonNode } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import { compactJson, printNode } from "../../schema/print";

type Result = Pick<Extract<OperationOutcome, { type: "result" }>, "content" | "structured">;

/**
 * Finds the part of a result that repeats the other: the content repeats the structured content as text for older
 * clients, or the structured content wraps the content in an object, as `{"result": "the text"}`. `null` if neither is
 * certain.
 */
export function repetitionOf({ content, structured }: Result): "content" | "structured" | null {
  if (content.length === 0 || typeof structured?.json !== "string") return null;
  const only = content.length === 1 ? (content[0]?.text ?? null) : null;
  if (only !== null && isText(content[0]) && isSameJson(only, structured.json)) return "content";
  const node = nodeIn(structured.json);
  if (node?.kind !== "object") return null;
  const [member, ...others] = node.members;
  return member && others.length === 0 ? repeatedBy(member.value, content) : null;
}

function repeatedBy(value: JsonNode, content: readonly ContentBlock[]): "content" | "structured" | null {
  const items = itemsOf(value);
  if (items.length === content.length && items.every((item, at) => isBlock(item, content[at]))) return "structured";
  const texts = content.map((block) => (isText(block) ? block.text : null));
  if (!texts.every((text) => text !== null)) return null;
  if (value.kind === "string")
    return ["\n", "", "\n\n"].some((by) => texts.join(by) === value.value) ? "structured" : null;
  const isPlain = value.kind !== "object" && value.kind !== "array";
  if (texts.length === 1 && isSameJson(texts[0] ?? "", printNode(value))) return isPlain ? "structured" : "content";
  const isEach = items.length === texts.length && items.every((item, at) => isSameValue(item, texts[at] ?? ""));
  return isEach ? "content" : null;
}

function isText(block: ContentBlock | undefined): boolean {
  return block?.kind === "text";
}

/** True if the value is the content block itself. */
function isBlock(value: JsonNode, block: ContentBlock | undefined): boolean {
  if (block === undefined || stringOf(memberOf(value, "type")) !== block.kind) return false;
  if (block.kind === "text") return block.text !== null && stringOf(memberOf(value, "text")) === block.text;
  const data = stringOf(memberOf(value, "data"));
  return data !== undefined && (stringOf(memberOf(value, "mimeType")) ?? null) === block.mime_type;
}

function isSameValue(value: JsonNode, text: string): boolean {
  return value.kind === "string" ? value.value === text : isSameJson(text, printNode(value));
}

function isSameJson(one: string, other: string): boolean {
  return compactJson(one) === compactJson(other);
}
