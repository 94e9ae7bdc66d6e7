import { cut } from "../../../lib/cut";
import { itemsOf, memberOf, objectNode, stringNode, stringOf, type JsonNode } from "../../../schema/node";
import { nodeIn } from "../../../schema/parse";
import { printNode } from "../../../schema/print";
import {
  changesOf,
  changesText,
  rowOfChange,
  type Change,
  type ChangeKind,
  type ChangeRow,
} from "../../../schema/difference/changes";
import { compareJson } from "../../../schema/difference/jsonDifference";
import {
  compareLines,
  placesOf,
  unifiedText,
  withoutEqual,
  type LineRow,
} from "../../../schema/difference/lineDifference";

/** Compared texts of a run, as received; `null` if it has none. */
export interface RunTexts {
  readonly arguments: string | null;
  /** Further members of `params`; all of it for a raw request. */
  readonly params: string | null;
  readonly result: string | null;
}

/** Counts of a comparison, known before its rows are read. */
export interface ComparisonHead {
  readonly changes: {
    readonly rows: number;
    readonly kinds: Readonly<Record<ChangeKind, number>>;
    readonly cut: boolean;
  };
  readonly lines: {
    readonly rows: number;
    /** Row indices at which differences begin. */
    readonly places: readonly number[];
    readonly removed: number;
    readonly added: number;
    readonly cut: boolean;
  };
  /** Both sides have a result. */
  readonly results: boolean;
  /** Both results repeat their structured content as text, which is then not compared twice. */
  readonly repeated: boolean;
}

/** Both values of a change, cut if they are too long to read. */
export interface ChangeValues {
  readonly left: string | null;
  readonly right: string | null;
}

/** Longest line, and longest value of a change, that are rendered, in characters. */
const LONGEST_LINE = 1_000;
const LONGEST_VALUE = 50_000;

/** Comparison of two runs: by structure, and the text of their results line by line. */
export class Comparison {
  readonly head: ComparisonHead;
  readonly #changes: readonly Change[];
  readonly #lines: readonly LineRow[];

  constructor(left: RunTexts, right: RunTexts) {
    const sides = [sideOf(left), sideOf(right)] as const;
    const repeated = sides.every((side) => side.repeated);
    const [before, after] = sides.map((side) => side.compared(repeated)) as [JsonNode, JsonNode];
    const { difference, cut } = compareJson(before, after);
    this.#changes = changesOf(difference);
    const { lines, cut: linesCut } = compareLines(sides[0].text, sides[1].text);
    this.#lines = withoutEqual(lines);
    const kinds = { added: 0, removed: 0, changed: 0, moved: 0 };
    for (const { kind } of this.#changes) kinds[kind] += 1;
    this.head = {
      changes: { rows: this.#changes.length, kinds, cut },
      lines: {
        rows: this.#lines.length,
        places: placesOf(this.#lines),
        removed: lines.filter(({ kind }) => kind === "removed").length,
        added: lines.filter(({ kind }) => kind === "added").length,
        cut: linesCut,
      },
      results: left.result !== null && right.result !== null,
      repeated,
    };
  }

  changes(from: number, count: number): readonly ChangeRow[] {
    return this.#changes.slice(from, from + count).map(rowOfChange);
  }

  values(index: number): ChangeValues {
    const change = this.#changes[index];
    return { left: valueText(change?.left), right: valueText(change?.right) };
  }

  lines(from: number, count: number): readonly LineRow[] {
    return this.#lines
      .slice(from, from + count)
      .map((row) => (row.kind === "gap" ? row : { ...row, text: cut(row.text, LONGEST_LINE) }));
  }

  /** Returns the difference as text. */
  text(shape: "structure" | "lines", names: readonly [string, string]): string {
    return shape === "structure" ? changesText(this.#changes, names) : unifiedText(this.#lines, names);
  }
}

interface Side {
  /** The result has structured content, and repeats it as text. */
  readonly repeated: boolean;
  /** Builds the value that is compared by structure. */
  readonly compared: (withoutText: boolean) => JsonNode;
  /** Text that is compared by lines. */
  readonly text: string;
}

function sideOf({ arguments: argumentsText, params, result }: RunTexts): Side {
  const root = nodeOf(result);
  const structured = memberOf(root ?? undefined, "structuredContent");
  const blocks = contentOf(root);
  const [only] = blocks;
  const embedded = blocks.length === 1 && only ? jsonIn(textOf(only)) : undefined;
  const repeated =
    structured !== undefined && embedded !== undefined && compareJson(structured, embedded).difference === null;
  return {
    repeated,
    compared: (withoutText) =>
      objectNode([
        ...entry("arguments", nodeOf(argumentsText)),
        ...entry("params", nodeOf(params)),
        ...entry("result", root && comparable(root, withoutText)),
      ]),
    text: linesOf(root, blocks, repeated ? undefined : structured),
  };
}

function entry(key: string, value: JsonNode | null): [string, JsonNode][] {
  return value ? [[key, value]] : [];
}

/** Parses a document; a text that is not JSON becomes a string. */
function nodeOf(text: string | null): JsonNode | null {
  return text === null ? null : (nodeIn(text) ?? stringNode(text));
}

/** Members of results that hold blocks: `content` of tools, `contents` of resource reads. */
const BLOCKS = ["content", "contents"];

function contentOf(root: JsonNode | null): readonly JsonNode[] {
  return itemsOf(BLOCKS.map((key) => memberOf(root ?? undefined, key)).find((found) => found !== undefined));
}

/** Returns the text of a block; the contents of a resource have no type. */
function textOf(block: JsonNode): string | undefined {
  const type = memberOf(block, "type");
  return type === undefined || stringOf(type) === "text" ? stringOf(memberOf(block, "text")) : undefined;
}

/** Parses a text that is a JSON object or array; `undefined` for any other text. */
function jsonIn(text: string | undefined): JsonNode | undefined {
  return text !== undefined && /^\s*[[{]/.test(text) ? nodeIn(text) : undefined;
}

/**
 * Parses the text blocks of a result that are JSON, so that a change in them has a path of its own. `withoutText` drops
 * the texts of tools' results; the other members of their blocks are compared.
 */
function comparable(root: JsonNode, withoutText: boolean): JsonNode {
  if (root.kind !== "object") return root;
  const members = root.members.map((member) => {
    const change = withoutText && member.key === "content" ? withoutItsText : withJson;
    return BLOCKS.includes(member.key) && member.value.kind === "array"
      ? {
          ...member,
          value: {
            ...member.value,
            items: member.value.items.map((item) => ({ ...item, value: change(item.value) })),
          },
        }
      : member;
  });
  return { ...root, members };
}

function withoutItsText(block: JsonNode): JsonNode {
  if (block.kind !== "object") return block;
  return { ...block, members: block.members.filter(({ key }) => key !== "text") };
}

function withJson(block: JsonNode): JsonNode {
  const json = jsonIn(textOf(block));
  if (!json || block.kind !== "object") return block;
  return {
    ...block,
    members: block.members.map((member) => (member.key === "text" ? { ...member, value: json } : member)),
  };
}

/** Returns the readable text of a result; all of it if it has none. */
function linesOf(root: JsonNode | null, blocks: readonly JsonNode[], structured: JsonNode | undefined): string {
  if (!root) return "";
  if (root.kind === "string") return root.value;
  const texts = blocks.map((block) => {
    const text = textOf(block);
    const json = jsonIn(text);
    return json ? printNode(json) : (text ?? printNode(block));
  });
  if (structured) texts.push(printNode(structured));
  return texts.length > 0 ? texts.join("\n") : printNode(root);
}

function valueText(node: JsonNode | null | undefined): string | null {
  if (!node) return null;
  return cut(node.kind === "string" ? node.value : printNode(node), LONGEST_VALUE);
}
