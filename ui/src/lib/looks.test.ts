import { describe, expect, it } from "vitest";

import { isMarkdown, looksAligned, looksLikeJson, looksLikeMarkdown } from "./looks";

describe("looksLikeMarkdown", () => {
  it.each([
    "# Title\n\ntext",
    "```js\nx\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "see [the page](https://example.com/)",
    "- one\n- two\n\nand **bold**",
  ])("takes %j", (text) => expect(looksLikeMarkdown(text)).toBe(true));

  it.each(["Hello, world", "2 * 3 * 4 = 24", "#hashtag", "a_b_c", "- only one item", "C:\\[x](y)", '{"a": 1}'])(
    "leaves %j as it is",
    (text) => expect(looksLikeMarkdown(text)).toBe(false),
  );
});

it.each(["text/markdown", "Text/Markdown; charset=utf-8"])("plain words of the type %s are Markdown", (mime) => {
  expect(isMarkdown(mime, "Hello, world")).toBe(true);
  expect(isMarkdown(`x-${mime}`, "Hello, world")).toBe(false);
});

describe("looksLikeJson", () => {
  it("wants a whole object or array", () => {
    expect(looksLikeJson(' {"a":[1]} ')).toBe(true);
    expect(looksLikeJson("[1,2]")).toBe(true);
    expect(looksLikeJson("12")).toBe(false);
    expect(looksLikeJson("{not json}")).toBe(false);
    expect(looksLikeJson("[link](x)")).toBe(false);
  });
});

it.each([
  ["Hello, Ada!", false],
  ["One line.  Two spaces.", false],
  ["Two lines\nof words.", false],
  ["name   size\na.txt  12", true],
  ["if x:\n    y()", true],
  ["a\tb\nc\td", true],
  ["┌──┐\n└──┘", true],
])("columns and code are aligned: %j", (text, aligned) => {
  expect(looksAligned(text)).toBe(aligned);
});
