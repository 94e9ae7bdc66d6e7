/** Parses Markdown (CommonMark with GitHub's extensions) to a tree for rendering, within limits. */
import type { ElementContent, RootContent } from "hast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** Limit of nested elements. */
export const MAX_DEPTH = 32;
/** Limit of elements in a text. */
export const MAX_ELEMENTS = 5_000;

export interface MarkdownElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly MarkdownNode[];
}

export type MarkdownNode = string | MarkdownElement;

export type Parsed =
  | { readonly ok: true; readonly nodes: readonly MarkdownNode[] }
  /** `reason` completes the sentence "because its Markdown …". With `again`, a retry can succeed. */
  | { readonly ok: false; readonly reason: string; readonly again?: true };

const TOO_DEEP: Parsed = { ok: false, reason: `nests deeper than ${MAX_DEPTH} levels` };
const TOO_LARGE: Parsed = { ok: false, reason: `has more than ${MAX_ELEMENTS.toLocaleString("en")} elements` };

const ATTRIBUTES = ["href", "src", "alt", "checked", "start", "align"];

/** Elements without text of their own, only with white space between their parts. */
const CONTAINERS = new Set(["table", "thead", "tbody", "tr"]);

const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true });

class Beyond extends Error {
  constructor(readonly limit: Parsed) {
    super();
  }
}

/** Parses a text. Can take minutes for some texts, so call it where it can be terminated. */
export function parseMarkdown(text: string): Parsed {
  let elements = 0;
  const convert = (node: RootContent | ElementContent, depth: number): MarkdownNode[] => {
    // Raw HTML is shown as text.
    if (node.type === "text" || node.type === "raw") return [node.value];
    if (node.type !== "element") return [];
    if (depth > MAX_DEPTH) throw new Beyond(TOO_DEEP);
    if (++elements > MAX_ELEMENTS) throw new Beyond(TOO_LARGE);
    const attributes: Record<string, string | number | boolean> = {};
    for (const name of ATTRIBUTES) {
      const value = node.properties[name];
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
        attributes[name] = value;
      }
    }
    const children = node.children.flatMap((child) => convert(child, depth + 1));
    const parts = CONTAINERS.has(node.tagName) ? children.filter((child) => typeof child !== "string") : children;
    return [{ tag: node.tagName, attributes, children: parts }];
  };
  try {
    const root = processor.runSync(processor.parse(text));
    return { ok: true, nodes: root.children.flatMap((node) => convert(node, 1)) };
  } catch (error) {
    if (error instanceof Beyond) return error.limit;
    // The parser is recursive, and overflows the stack if the nesting is too deep.
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
