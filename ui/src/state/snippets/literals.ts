/** Formats values as literals of TypeScript and Python, whatever strings they contain. */
import type { JsonNode, Member } from "../../schema/node";
import type { Given } from "./target";

/** Matches characters that need an escape: quotes, and characters that are invisible or reorder their neighbours. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}"\\]|(?! )\p{Zs}/gu;

/** Matches the fingerprint of a secret in what was recorded. */
const FINGERPRINT = /‹secret ([0-9a-f]{6})›/;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

/** Differences between the two languages. */
export interface Language {
  readonly string: (text: string) => string;
  /** The value of an environment variable, as an operand. */
  readonly variable: (name: string) => string;
  readonly words: { readonly null: string; readonly true: string; readonly false: string };
  readonly indent: string;
  /** A key of an object. */
  readonly key: (key: string) => string;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** Formats a string of TypeScript on one line, with escapes for hidden characters. */
function typeScriptString(text: string): string {
  const escaped = text.replaceAll(
    HIDDEN,
    (found) =>
      SHORT[found] ?? Array.from({ length: found.length }, (_, at) => `\\u${hex(found.charCodeAt(at), 4)}`).join(""),
  );
  return `"${escaped}"`;
}

/** Formats a string of Python. One escape is one code point, as a pair of surrogates would stay two characters. */
function pythonString(text: string): string {
  const escaped = text.replaceAll(HIDDEN, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return SHORT[found] ?? (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`);
  });
  return `"${escaped}"`;
}

export const typeScript: Language = {
  string: typeScriptString,
  variable: (name) => `(process.env[${typeScriptString(name)}] ?? "")`,
  words: { null: "null", true: "true", false: "false" },
  indent: "  ",
  // As a plain key, `__proto__` would set the prototype.
  key: (key) => (key === "__proto__" ? '["__proto__"]' : typeScriptString(key)),
};

export const python: Language = {
  string: pythonString,
  variable: (name) => `os.environ[${pythonString(name)}]`,
  words: { null: "None", true: "True", false: "False" },
  indent: "    ",
  key: pythonString,
};

/** Formats a value of the target. */
export function expression(given: Given, language: Language): string {
  if ("value" in given) return language.string(given.value);
  const variable = language.variable(given.variable);
  return given.before === "" ? variable : `${language.string(given.before)} + ${variable}`;
}

/** Formats a string, with variables for the secrets that were replaced when it was recorded. */
function stringLiteral(text: string, language: Language): string {
  const parts = text
    .split(FINGERPRINT)
    .map((part, at) => (at % 2 === 1 ? language.variable(`SECRET_${part}`) : part && language.string(part)));
  return parts.filter(Boolean).join(" + ") || language.string("");
}

/**
 * Formats a value over several lines, with variables for secrets; the lines after the first are indented by `depth`.
 */
export function literal(node: JsonNode, language: Language, depth = 0): string {
  switch (node.kind) {
    case "null":
      return language.words.null;
    case "boolean":
      return node.value ? language.words.true : language.words.false;
    case "number":
      return node.lexeme;
    case "string":
      return stringLiteral(node.value, language);
    case "raw":
      return node.parsed ? literal(node.parsed, language, depth) : language.string(node.text);
    case "array":
      return block(
        "[",
        node.items.map((item) => literal(item.value, language, depth + 1)),
        "]",
        language,
        depth,
      );
    case "object":
      return block(
        "{",
        lastOnes(node.members).map(
          (member) => `${language.key(member.key)}: ${literal(member.value, language, depth + 1)}`,
        ),
        "}",
        language,
        depth,
      );
  }
}

/** Formats a block: `open`, one line for each item, `close`. */
export function block(open: string, items: readonly string[], close: string, language: Language, depth = 0): string {
  if (items.length === 0) return open + close;
  const inner = language.indent.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${language.indent.repeat(depth)}${close}`;
}

/** Returns the last member of each key, as JSON parsers read repeated keys. */
function lastOnes(members: readonly Member[]): readonly Member[] {
  const last = new Map(members.map((member) => [member.key, member]));
  return members.filter((member) => last.get(member.key) === member);
}

/** Returns the numbers that JavaScript would send with other digits. */
export function roundedNumbers(node: JsonNode): string[] {
  switch (node.kind) {
    case "number": {
      const value = Number(node.lexeme);
      const isWhole = /^-?\d+$/.test(node.lexeme);
      return !Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value)) ? [node.lexeme] : [];
    }
    case "array":
      return node.items.flatMap((item) => roundedNumbers(item.value));
    case "object":
      return node.members.flatMap((member) => roundedNumbers(member.value));
    case "raw":
      return node.parsed ? roundedNumbers(node.parsed) : [];
    default:
      return [];
  }
}
