/** Scores texts against a search, the way the backend searches a catalog. */

/** Splits a search into its words, in lower case. */
export function wordsOf(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * Scores a title with its detail: every word must occur in one of them, and a match in the title counts more. 0 if a
 * word is missing.
 */
export function score(words: readonly string[], title: string, detail: string): number {
  const [main, rest] = [title.toLowerCase(), detail.toLowerCase()];
  let total = 0;
  for (const word of words) {
    const best = placeScore(main, word) * 10 || placeScore(rest, word);
    if (best === 0) return 0;
    total += best;
  }
  return total;
}

/** Scores a match: the whole text 5, its beginning 4, the beginning of a word 3, anywhere else 2. */
function placeScore(text: string, word: string): number {
  let at = text.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return text.length === word.length ? 5 : 4;
  for (; at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return 3;
  }
  return 2;
}

/** A piece of a text; `found` if it matches the search. */
export interface Piece {
  readonly text: string;
  readonly found: boolean;
}

/** Splits a text at the matches of the words. */
export function pieces(text: string, words: readonly string[]): readonly Piece[] {
  const lower = text.toLowerCase();
  // Some letters change their length in lower case, which would shift the positions.
  if (lower.length !== text.length) return [{ text, found: false }];
  const marks = Array.from({ length: text.length }, () => false);
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      marks.fill(true, at, at + word.length);
    }
  }
  const found: Piece[] = [];
  let from = 0;
  for (let to = 1; to <= text.length; to++) {
    if (to < text.length && marks[to] === marks[from]) continue;
    found.push({ text: text.slice(from, to), found: marks[from] ?? false });
    from = to;
  }
  return found;
}

/** Returns the part of a text around its first match, beginning at most `before` characters before it. */
export function snippet(text: string, words: readonly string[], before: number, most: number): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const place = places.length > 0 ? Math.min(...places) : 0;
  const at = Math.max(0, place - before);
  const space = text.indexOf(" ", at);
  const from = at > 0 && space >= 0 && space < place ? space + 1 : at;
  const end = from + most;
  return `${from > 0 ? "…" : ""}${text.slice(from, end).trim()}${end < text.length ? "…" : ""}`;
}
