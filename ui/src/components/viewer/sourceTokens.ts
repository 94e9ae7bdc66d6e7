import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { c, cpp, csharp, java } from "@codemirror/legacy-modes/mode/clike";
import { css } from "@codemirror/legacy-modes/mode/css";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { go } from "@codemirror/legacy-modes/mode/go";
import { javascript, typescript } from "@codemirror/legacy-modes/mode/javascript";
import { python } from "@codemirror/legacy-modes/mode/python";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";

import type { SourceLanguage } from "./sourceLanguage";
import type { Token, TokenKind } from "./tokens";

/** Limit of the lines with colours, in characters, as tokenizing may take quadratic time. */
const LONGEST_LINE = 2_000;

const PARSERS: Readonly<Record<SourceLanguage, StreamParser<unknown>>> = {
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  html,
  java,
  javascript,
  python,
  rust,
  shell,
  sql: standardSQL,
  toml,
  typescript,
  xml,
  yaml,
};

const kinds = tagHighlighter([
  { tag: [tags.comment, tags.meta], class: "comment" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted], class: "string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "number" },
  { tag: [tags.keyword, tags.tagName, tags.heading, tags.deleted], class: "word" },
  {
    tag: [tags.propertyName, tags.attributeName, tags.typeName, tags.definition(tags.variableName)],
    class: "key",
  },
]);

/**
 * Returns the colours of each line of source code; `null` if a line is too long. A text can be made to take forever.
 */
export function tokensOfSource(text: string, language: SourceLanguage): readonly (readonly Token[])[] | null {
  if (text.split("\n").some((line) => line.length > LONGEST_LINE)) return null;
  const { parser } = StreamLanguage.define(PARSERS[language]);
  const lines: Token[][] = [[]];
  highlightCode(
    text,
    parser.parse(text),
    kinds,
    (part, classes) => lines.at(-1)?.push({ text: part, kind: kindOf(classes) }),
    () => lines.push([]),
  );
  return lines;
}

function kindOf(classes: string): TokenKind {
  // Of tags with several meanings the first counts.
  const [first = ""] = classes.split(" ");
  return first === "" ? "mark" : (first as TokenKind);
}
