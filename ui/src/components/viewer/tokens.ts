export type TokenKind = "key" | "string" | "number" | "word" | "mark";

export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
}

const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|[^"\dtfn-]+|./g;

/** Colours of one line of indented JSON. A line that is the rest of another has none. */
export function tokensOf(line: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const [text, quoted, colon, digits, word] = match;
    if (quoted !== undefined) {
      tokens.push({ text: quoted, kind: colon === undefined ? "string" : "key" });
      if (colon !== undefined) tokens.push({ text: colon, kind: "mark" });
    } else {
      tokens.push({ text, kind: digits !== undefined ? "number" : word !== undefined ? "word" : "mark" });
    }
  }
  return tokens;
}
