import { describe, expect, it } from "vitest";

import { MAX_DEPTH, MAX_ELEMENTS, parseMarkdown, type MarkdownNode } from "./parse";

/** Formats tags and texts in one line. */
function picture(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? node.trim() : `${node.tag}(${picture(node.children)})`))
    .filter((part) => part !== "")
    .join(" ");
}

function parsed(text: string): readonly MarkdownNode[] {
  const result = parseMarkdown(text);
  if (!result.ok) throw new Error(result.reason);
  return result.nodes;
}

describe("Markdown becomes a tree", () => {
  it.each([
    ["# A *b*", "h1(A em(b))"],
    ["a `b` **c** ~~d~~", "p(a code(b) strong(c) del(d))"],
    ["- a\n- [x] b", "ul(li(a) li(input() b))"],
    ["> a\n\n```\nb\n```", "blockquote(p(a)) pre(code(b))"],
    ["|a|b|\n|:-:|-|\n|c|d|", "table(thead(tr(th(a) th(b))) tbody(tr(td(c) td(d))))"],
    ["a <b onclick='c'>d</b>", "p(a <b onclick='c'> d </b>)"],
  ])("%s", (text, expected) => expect(picture(parsed(text))).toBe(expected));

  it("keeps the attributes that are drawn, and no others", () => {
    const [list, , paragraph] = parsed('3. a\n\n[b](javascript:c "d") ![e](https://f.test)');
    expect(list).toMatchObject({ attributes: { start: 3 } });
    expect(paragraph).toMatchObject({
      children: [
        { tag: "a", attributes: { href: "javascript:c" } },
        " ",
        { tag: "img", attributes: { src: "https://f.test", alt: "e" } },
      ],
    });
  });
});

describe("within limits", () => {
  it("of depth", () => {
    expect(parseMarkdown(`${"> ".repeat(MAX_DEPTH - 1)}a`).ok).toBe(true);
    for (const depth of [MAX_DEPTH, 500]) {
      expect(parseMarkdown(`${">".repeat(depth)}a`)).toEqual({ ok: false, reason: "nests deeper than 32 levels" });
    }
  });

  it("of size", () => {
    expect(parseMarkdown("---\n".repeat(MAX_ELEMENTS + 1))).toEqual({
      ok: false,
      reason: "has more than 5,000 elements",
    });
  });
});
