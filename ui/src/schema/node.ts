import { cached } from "../lib/cached";
/**
 * The value tree: JSON as the user wrote it.
 *
 * Plain JavaScript objects cannot hold a user's JSON: they round numbers, sort integer-like keys to the front, drop
 * repeated keys and give `__proto__` a meaning. So every value is a node that preserves its text. Nodes are immutable;
 * edits build new nodes and share the others.
 */

export interface NullNode extends Noted {
  readonly kind: "null";
}

export interface BooleanNode extends Noted {
  readonly kind: "boolean";
  readonly value: boolean;
}

/** A number as its characters: `1.0`, `1e400` and `9007199254740993` stay as they are. */
export interface NumberNode extends Noted {
  readonly kind: "number";
  readonly lexeme: string;
}

export interface StringNode extends Noted {
  readonly kind: "string";
  readonly value: string;
  /** The literal with its quotes, if it used escapes, so that an untouched string preserves them. */
  readonly literal?: string | undefined;
}

export interface ArrayNode extends Noted {
  readonly kind: "array";
  readonly items: readonly Item[];
}

export interface ObjectNode extends Noted {
  readonly kind: "object";
  readonly members: readonly Member[];
}

/** Text typed for one node, as typed; `parsed` is missing while the text is not JSON. */
export interface RawNode extends Noted {
  readonly kind: "raw";
  readonly text: string;
  readonly parsed?: JsonNode | undefined;
}

export type JsonNode = NullNode | BooleanNode | NumberNode | StringNode | ArrayNode | ObjectNode | RawNode;

/** An item of an array. `id` identifies it within its array while it moves. */
export interface Item {
  readonly id: number;
  readonly value: JsonNode;
}

export interface Member {
  readonly id: number;
  readonly key: string;
  /** The key's literal, if it used escapes. */
  readonly keyLiteral?: string | undefined;
  readonly value: JsonNode;
}

/** State of the form at a node that is not part of the JSON. */
export interface Notes {
  /** Union id to the schema of the branch that the user picked. */
  readonly choices: ReadonlyMap<string, JsonNode>;
  /** Hidden values (other branches, removed members), by a name chosen by the editor. */
  readonly parked: ReadonlyMap<string, JsonNode>;
}

interface Noted {
  readonly notes?: Notes | undefined;
}

export const NULL: NullNode = { kind: "null" };
export const EMPTY_OBJECT: ObjectNode = { kind: "object", members: [] };
export const EMPTY_ARRAY: ArrayNode = { kind: "array", items: [] };

export function stringNode(value: string): StringNode {
  return { kind: "string", value };
}

export function booleanNode(value: boolean): BooleanNode {
  return { kind: "boolean", value };
}

export function numberNode(lexeme: string): NumberNode {
  return { kind: "number", lexeme };
}

export function arrayNode(values: readonly JsonNode[]): ArrayNode {
  return { kind: "array", items: values.map((value, id) => ({ id, value })) };
}

export function objectNode(entries: Iterable<readonly [string, JsonNode]>): ObjectNode {
  const members: Member[] = [];
  for (const [key, value] of entries) members.push({ id: members.length, key, value });
  return { kind: "object", members };
}

/** Returns the node that raw text was parsed to, or the raw node itself while its text is not JSON. */
export function settled(node: JsonNode): JsonNode {
  return node.kind === "raw" && node.parsed ? node.parsed : node;
}

/** Returns true for an empty JSON field: as a member of an object it is not sent. */
export function isBlank(node: JsonNode | undefined): boolean {
  return node?.kind === "raw" && node.text.trim() === "";
}

const LOOKUP_FROM = 12;
const lookups = new WeakMap<readonly Member[], Map<string, number>>();

/** Returns the index of the member `key`; of repeated keys the last one, as in JSON parsers. */
export function memberIndex(node: ObjectNode, key: string): number {
  const { members } = node;
  if (members.length < LOOKUP_FROM) {
    for (let i = members.length - 1; i >= 0; i--) if (members[i]?.key === key) return i;
    return -1;
  }
  const lookup = cached(lookups, members, () => new Map(members.map((member, index) => [member.key, index])));
  return lookup.get(key) ?? -1;
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== "object") return undefined;
  return node.members[memberIndex(node, key)]?.value;
}

export function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === "string" ? node.value : undefined;
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items.map((item) => item.value) : [];
}

export function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === "boolean" && node.value;
}

/** Returns the steps of work ({@link work}) to visit a node without the content of its entries. */
export function widthOf(node: JsonNode | undefined): number {
  switch (node?.kind) {
    case "object":
      return node.members.length;
    case "array":
      return node.items.length;
    case "string":
      return node.value.length >> 6;
    case "number":
      return node.lexeme.length >> 2;
    default:
      return 0;
  }
}

/** Returns a keyword's value if it is a small whole number (a length or a count). */
export function countOf(node: JsonNode | undefined): number | undefined {
  if (node?.kind !== "number") return undefined;
  const value = Number(node.lexeme);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns an id that no entry of a container has. */
export function nextId(entries: readonly (Item | Member)[]): number {
  return entries.reduce((highest, entry) => Math.max(highest, entry.id), -1) + 1;
}

/** Returns a copy of `node` with `notes`. */
export function withNotes<T extends JsonNode>(node: T, notes: Notes | undefined): T {
  return notes === node.notes ? node : { ...node, notes };
}

const KIND_WORDS: Record<JsonNode["kind"], string> = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
  raw: "text that is not valid JSON",
};

export function kindInWords(node: JsonNode): string {
  return KIND_WORDS[settled(node).kind];
}
