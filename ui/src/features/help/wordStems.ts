/** Compares words of ordinary language without their endings. */

/** Words of a question that carry no meaning for the search. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    "a about am an and are as at be by can could do does for from get has have help how i if in into is it its " +
    "just like make me my need of on or our please so some that the their them there they this to too us very want was we what when " +
    "where which who why will with would you your"
  ).split(" "),
);

/** Least length of a word that matches the beginning of another, in characters. */
const LEAST_BEGINNING = 2;
/** Least length of a word without its ending, in characters. */
const LEAST_STEM = 3;
/** Length of a word above which a last “ll” or “ss” may come from its ending, in characters. */
const LONG_WORD = 5;

/** A word of the search. */
export interface Wanted {
  /** Word in lower case. */
  readonly word: string;
  readonly stem: string;
}

/**
 * Strips the ending of a plural, of “-ing” or “-ed” from a word: the same result for “stop”, “stops”, “stopped” and
 * “stopping”. The result is not always a word: a doubled last letter and a last “e” are removed as well.
 */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word) || word.length <= LEAST_STEM) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^sui])s$/, "$1");
  const plain = singular.replace(/^([a-z]*[aeiouy][a-z]*)(ing|ed)$/, (whole, rest: string) =>
    rest.length < LEAST_STEM ? whole : rest,
  );
  // “stopped” and “cancelled”, but “fill” and “press”.
  const single = plain.replace(plain.length > LONG_WORD ? /([^aeiou])\1$/ : /([^aeioulsz])\1$/, "$1");
  const short = single.replace(/e$/, "");
  // “note” is not “not”.
  return short.length < LEAST_STEM || short === "not" ? single : short;
}

/** Splits a text into its words, in order and in lower case. */
export function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Splits a search into `all` its words, and the `wanted` ones, which exclude the small words unless there are no
 * others.
 */
export function wantedOf(search: string): { readonly wanted: readonly Wanted[]; readonly all: readonly Wanted[] } {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}_-]+/u, "").replace(/[^\p{L}\p{N}_]+$/u, "") || word)
    .filter((word) => word !== "");
  const all = [...new Set(words)].map((word) => ({ word, stem: stemOf(word) }));
  const large = all.filter(({ word }) => !SMALL_WORDS.has(word));
  return { wanted: large.length > 0 ? large : all, all };
}

/** A searched text: in lower case, and its words with and without their endings. */
export interface Searched {
  readonly lower: string;
  readonly tokens: readonly string[];
  readonly stems: readonly string[];
}

export function searched(text: string): Searched {
  const tokens = tokensOf(text);
  return { lower: text.toLowerCase(), tokens, stems: tokens.map(stemOf) };
}

/** Scores a word in a text: 2 for a whole word, 1 for the beginning of a word or a part of a code, else 0. */
export function foundIn({ word, stem }: Wanted, text: Searched): 0 | 1 | 2 {
  if (text.stems.includes(stem)) return 2;
  if (word.length >= LEAST_BEGINNING && text.tokens.some((token) => token.startsWith(word))) return 1;
  return /[^\p{L}]/u.test(word) && text.lower.includes(word) ? 1 : 0;
}

/** Index of the first word at which the words occur in sequence, or -1. */
export function placeOfAll(wanted: readonly Wanted[], { stems }: Searched): number {
  return stems.findIndex((_, at) => wanted.every(({ stem }, index) => stems[at + index] === stem));
}

/** Words of a text that match the search, as written there, to mark them. */
export function marksIn(wanted: readonly Wanted[], text: string): readonly string[] {
  const words = wanted.flatMap(({ word, stem }) => {
    const found = tokensOf(text).filter((token) => stemOf(token) === stem);
    return found.length > 0 ? found : [word];
  });
  return [...new Set(words)];
}
