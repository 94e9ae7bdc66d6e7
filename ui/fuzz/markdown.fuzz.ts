import { expect, it } from "vitest";
import fc from "fast-check";

import { MAX_DEPTH, MAX_ELEMENTS, parseMarkdown, type MarkdownNode } from "../src/components/markdown/parse";
import { fuzz } from "./fuzz";

const piece = fc.oneof(
  fc.constantFrom(..."*_~`[]()!<>#|-+:\\&\n\t @.$^".split("")),
  fc.constantFrom(
    "> ",
    "- ",
    "1. ",
    "[a](b)",
    "![",
    "[^a]",
    "[^a]: ",
    "<!--",
    "```\n",
    "|-|\n",
    "www.a.b",
    "a@b.c",
    "&#0;",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);

/** Pieces of Markdown, some of them many times. The parser takes more than linear time: a worker ends it then. */
const markdown = fc
  .array(fc.tuple(fc.array(piece, { maxLength: 6 }), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200 }))), {
    maxLength: 8,
  })
  .map((parts) =>
    parts
      .map(([pieces, times]) => pieces.join("").repeat(times))
      .join("")
      .slice(0, 2_000),
  );

/** Elements inside each other, and all of them. */
function measure(nodes: readonly MarkdownNode[]): { depth: number; count: number } {
  let [depth, count] = [0, 0];
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const inner = measure(node.children);
    depth = Math.max(depth, inner.depth + 1);
    count += inner.count + 1;
  }
  return { depth, count };
}

it("markdown", () =>
  fuzz("markdown", markdown, (text) => {
    const parsed = parseMarkdown(text);
    if (!parsed.ok) return;
    const { depth, count } = measure(parsed.nodes);
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(count).toBeLessThanOrEqual(MAX_ELEMENTS);
    expect(structuredClone(parsed)).toEqual(parsed);
  }));
