/** Prints the value tree as JSON text. */
import { cached } from "../lib/cached";
import { isBlank, type JsonNode, type Member } from "./node";
import { parseJson } from "./parse";

const cache = new WeakMap<JsonNode, string>();

/** Prints JSON with an indentation of two spaces; numbers, escapes and raw text stay exactly as typed. */
export function printNode(node: JsonNode): string {
  if (node.kind !== "object" && node.kind !== "array") return print(node, "");
  return cached(cache, node, () => print(node, ""));
}

function print(node: JsonNode, indent: string): string {
  switch (node.kind) {
    case "null":
      return "null";
    case "boolean":
      return node.value ? "true" : "false";
    case "number":
      return node.lexeme;
    case "string":
      return node.literal ?? JSON.stringify(node.value);
    case "raw":
      return node.text;
    case "array": {
      if (node.items.length === 0) return "[]";
      const inner = `${indent}  `;
      const lines = node.items.map((item) => inner + print(item.value, inner));
      return `[\n${lines.join(",\n")}\n${indent}]`;
    }
    case "object": {
      const members = node.members.filter((member) => !isBlank(member.value));
      if (members.length === 0) return "{}";
      const inner = `${indent}  `;
      const lines = members.map((member) => `${inner}${printKey(member)}: ${print(member.value, inner)}`);
      return `{\n${lines.join(",\n")}\n${indent}}`;
    }
  }
}

function printKey(member: Member): string {
  return member.keyLiteral ?? JSON.stringify(member.key);
}

/** Indents JSON text by two spaces and leaves its tokens as they are; text that is not JSON stays as it is. */
export function prettyJson(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? printNode(parsed.node) : text;
}

/** Prints one line for labels, buttons and tooltips, cut after `limit` characters. */
export function printShort(node: JsonNode, limit = 60): string {
  const text = node.kind === "string" ? JSON.stringify(node.value) : compactJson(printNode(node));
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/**
 * Removes the white space between the tokens of JSON text; tokens keep their characters. A stdio frame is one line, so
 * text with line breaks cannot be sent as typed. In text that was cut, the last token may be an unfinished string.
 */
export function compactJson(text: string): string {
  return text.replace(
    /("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$))|[ \t\r\n]+/g,
    (_, literal: string | undefined) => literal ?? "",
  );
}
