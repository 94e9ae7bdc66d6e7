/** Parses JSON text (RFC 8259) to the value tree, preserving number lexemes, key order and repeated keys. */
import { cut } from "../lib/cut";
import type { Item, JsonNode, Member } from "./node";

export interface TextProblem {
  readonly message: string;
  /** UTF-16 offset into the text. */
  readonly offset: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The text may be JSON, but is nested too deeply for the form. */
  readonly tooDeep: boolean;
}

export type ParseResult =
  | { readonly ok: true; readonly node: JsonNode }
  | { readonly ok: false; readonly problem: TextProblem };

/** Limit of nesting, so that no walk over a tree can overflow the stack; deeper values appear only in the text view. */
export const MAX_DEPTH = 200;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z0-9_$+.-]+/y;

/** True for text that is one JSON number and nothing else. */
export function isNumberLexeme(text: string): boolean {
  NUMBER.lastIndex = 0;
  return NUMBER.test(text) && NUMBER.lastIndex === text.length;
}

export function parseJson(text: string): ParseResult {
  const parser = new Parser(text);
  try {
    return { ok: true, node: parser.document() };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, problem: locate(text, error) };
    throw error;
  }
}

/** Parses a JSON text; `undefined` if it is not JSON. */
export function nodeIn(text: string): JsonNode | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.node : undefined;
}

class Stop extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly tooDeep = false,
  ) {
    super(message);
  }
}

function locate(text: string, stop: Stop): TextProblem {
  const before = text.slice(0, stop.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let i = before.indexOf("\n"); i >= 0; i = before.indexOf("\n", i + 1)) line++;
  return {
    message: stop.message,
    offset: stop.offset,
    line,
    column: stop.offset - lineStart + 1,
    tooDeep: stop.tooDeep,
  };
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): JsonNode {
    this.space();
    if (this.at >= this.text.length) throw new Stop("There is no JSON yet", this.at);
    const node = this.value();
    this.space();
    if (this.at < this.text.length) {
      throw new Stop("The JSON ends before this; what follows does not belong to it", this.at);
    }
    return node;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private value(): JsonNode {
    const char = this.text[this.at];
    if (char === "{" || char === "[") {
      if (++this.depth > MAX_DEPTH) {
        throw new Stop(`This is nested deeper than ${MAX_DEPTH} levels`, this.at, true);
      }
      const node = char === "{" ? this.object() : this.array();
      this.depth--;
      return node;
    }
    if (char === '"') return this.string();
    if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) return this.number();
    return this.word();
  }

  private object(): JsonNode {
    const members: Member[] = [];
    this.at++;
    this.space();
    if (this.text[this.at] === "}") {
      this.at++;
      return { kind: "object", members };
    }
    for (;;) {
      if (this.text[this.at] !== '"') throw this.expected("a key in double quotes", "}");
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ":") throw this.expected("“:” after the key");
      this.at++;
      this.space();
      const value = this.value();
      members.push({ id: members.length, key: key.value, keyLiteral: key.literal, value });
      this.space();
      const next = this.text[this.at];
      if (next === "}") break;
      if (next !== ",") throw this.expected("“,” or “}”");
      this.at++;
      this.space();
    }
    this.at++;
    return { kind: "object", members };
  }

  private array(): JsonNode {
    const items: Item[] = [];
    this.at++;
    this.space();
    if (this.text[this.at] === "]") {
      this.at++;
      return { kind: "array", items };
    }
    for (;;) {
      items.push({ id: items.length, value: this.value() });
      this.space();
      const next = this.text[this.at];
      if (next === "]") break;
      if (next !== ",") throw this.expected("“,” or “]”");
      this.at++;
      this.space();
    }
    this.at++;
    return { kind: "array", items };
  }

  private string(): { kind: "string"; value: string; literal?: string | undefined } {
    const start = this.at;
    let escaped = false;
    let at = start + 1;
    for (; ; at++) {
      const code = this.text.charCodeAt(at);
      if (Number.isNaN(code)) throw new Stop("This string has no closing quote", start);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        at++;
        if (at >= this.text.length) throw new Stop("This string has no closing quote", start);
      } else if (code < 0x20) {
        throw new Stop(
          code === 0x0a || code === 0x0d
            ? "A line break inside a string must be written as \\n"
            : "This control character must be written as an escape (\\u00..)",
          at,
        );
      }
    }
    this.at = at + 1;
    const literal = this.text.slice(start, this.at);
    if (!escaped) return { kind: "string", value: literal.slice(1, -1) };
    try {
      return { kind: "string", value: JSON.parse(literal) as string, literal };
    } catch {
      const offset = literal.search(/\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/);
      throw new Stop("This is not a valid JSON escape", start + Math.max(offset, 0));
    }
  }

  private number(): JsonNode {
    NUMBER.lastIndex = this.at;
    const end = NUMBER.test(this.text) ? NUMBER.lastIndex : this.at;
    WORD.lastIndex = end;
    if (end === this.at || WORD.test(this.text)) {
      WORD.lastIndex = this.at;
      throw new Stop(`“${cut(WORD.exec(this.text)?.[0] ?? "", 40)}” is not a JSON number`, this.at);
    }
    const lexeme = this.text.slice(this.at, end);
    this.at = end;
    return { kind: "number", lexeme };
  }

  private word(): JsonNode {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0] ?? "";
    const start = this.at;
    this.at += word.length;
    if (word === "null") return { kind: "null" };
    if (word === "true") return { kind: "boolean", value: true };
    if (word === "false") return { kind: "boolean", value: false };
    this.at = start;
    if (word === "") throw this.expected("a value");
    throw new Stop(`“${cut(word, 40)}” is not JSON; strings need double quotes`, start);
  }

  private expected(what: string, closer?: string): Stop {
    const found = this.text[this.at];
    if (found === undefined) return new Stop(`The JSON ends where ${what} was expected`, this.at);
    if (found === closer) return new Stop("Trailing comma before the closing bracket", this.at);
    return new Stop(`Expected ${what}`, this.at);
  }
}
