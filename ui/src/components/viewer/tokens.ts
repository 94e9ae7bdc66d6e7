export type TokenKind = "key" | "string" | "number" | "word" | "comment" | "mark";

export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
}

const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|[^"\dtfn-]+|./g;

/** Returns the colours of one line of indented JSON. A row that continues a line has none. */
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

/** Returns the tokens of a line up to the end of its first row; `null` if the row shows something else. */
export function tokensOfRow(line: readonly Token[], row: string): readonly Token[] | null {
  const cut: Token[] = [];
  let at = 0;
  for (const { text, kind } of line) {
    if (at >= row.length) break;
    const part = text.slice(0, row.length - at);
    if (!row.startsWith(part, at)) return null;
    cut.push({ text: part, kind });
    at += part.length;
  }
  return at === row.length ? cut : null;
}
