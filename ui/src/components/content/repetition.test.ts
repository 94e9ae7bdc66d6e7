import { expect, it } from "vitest";

import type { ContentBlock, StructuredContent } from "../../ipc/bindings";
import { repetitionOf } from "./repetition";

const text = (of: string | null) => ({ kind: "text", mime_type: null, text: of }) as ContentBlock;
const image = { kind: "image", mime_type: "image/png", text: null } as ContentBlock;
const repeated = (content: readonly ContentBlock[], value: unknown) =>
  repetitionOf({ content: [...content], structured: { json: JSON.stringify(value) } as StructuredContent });

it.each([
  ["the structured content as text", [text('{ "a": 1 }')], { a: 1 }, "content"],
  ["a text in one member", [text("[FILE] a.txt")], { content: "[FILE] a.txt" }, "structured"],
  ["several texts in one member", [text("a"), text("b")], { result: "a\nb" }, "structured"],
  ["a number in one member", [text("42")], { result: 42 }, "structured"],
  ["rows in one member", [text('[{"a":1}]')], { result: [{ a: 1 }] }, "content"],
  ["a text for each item", [text("x"), text('{"a":1}')], { result: ["x", { a: 1 }] }, "content"],
  [
    "the blocks themselves",
    [image],
    { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] },
    "structured",
  ],
  ["another text", [text("Two ports.")], { result: "Three ports." }, null],
  ["a text beside other members", [text("a")], { result: "a", more: 1 }, null],
  ["a picture of another type", [image], { content: [{ type: "image", data: "aGk=", mimeType: "image/gif" }] }, null],
  ["a text that is not here as a whole", [text(null)], { result: "a" }, null],
  ["no content", [], { result: "a" }, null],
] as const)("finds out what repeats %s", (_, content, value, expected) => {
  expect(repeated(content, value)).toBe(expected);
});
