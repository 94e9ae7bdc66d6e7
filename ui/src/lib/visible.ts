/** A part of a text: visible text, or a row of hidden characters. */
export type Part = string | readonly HiddenCharacter[];

export interface HiddenCharacter {
  /** `U+202E` */
  readonly code: string;
  /** Name of the character in Unicode. */
  readonly name: string;
}

/** An emoji with its modifiers: the only place where a joiner or a variation selector is expected. */
const EMOJI =
  /(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?(?:\u200D(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*|[0-9#*]\uFE0F?\u20E3/u
    .source;
/**
 * Control, format, private and unassigned characters, everything drawn as nothing, every space but the usual one, and
 * look-alikes of a slash, a dot or a colon.
 */
const HIDDEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u2044\u2215\u29F8\u2024\uFF0E\uA789]|(?! )\p{Zs}/u
    .source;
/** Marks stacked on one letter, more than any script uses; they are drawn over the lines above and below. */
const STACKED = /\p{M}{4,}/u.source;
const SEARCH = new RegExp(`${EMOJI}|((?:${HIDDEN}|${STACKED})+)`, "gu");
/** Three or more empty lines in a row push the following text out of sight. */
const SEARCH_LINES = new RegExp(`${EMOJI}|((?:(?![\\n\\t])(?:${HIDDEN})|${STACKED})+|\\n(?:[ \\t]*\\n){3,})`, "gu");

/** Limit of hidden places that are split off in one text. */
const MOST_MARKS = 200;
/** Limit of characters spelled out of a row of hidden ones. */
const SPELLED = 8;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x09, "tab"],
  [0x0a, "line feed"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0x20, "space"],
  [0xa0, "no-break space"],
  [0xad, "soft hyphen"],
  [0x034f, "combining grapheme joiner"],
  [0x061c, "Arabic letter mark"],
  [0x200b, "zero width space"],
  [0x200c, "zero width non-joiner"],
  [0x200d, "zero width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2024, "one dot leader"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2044, "fraction slash"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "pop directional isolate"],
  [0x2215, "division slash"],
  [0x2800, "blank Braille pattern"],
  [0x29f8, "big solidus"],
  [0x3000, "ideographic space"],
  [0x3164, "Hangul filler"],
  [0xa789, "modifier letter colon"],
  [0xfeff, "zero width no-break space"],
  [0xff0e, "fullwidth full stop"],
]);

/** Words for characters without a name above; the first matching pattern counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/[\u{E0000}-\u{E007F}]/u, "tag character"],
  [/\p{Variation_Selector}/u, "variation selector"],
  [/\p{M}/u, "combining mark"],
  [/\p{Zs}/u, "unusual space"],
  [/\p{Cc}/u, "control character"],
  [/\p{Co}/u, "private-use character"],
  [/\p{Cs}/u, "lone surrogate"],
  [/\p{Cn}/u, "unassigned character"],
];

/**
 * Splits a text so that hidden characters stand apart. With `lines`, line feeds and tabs are not hidden, except in rows
 * of empty lines.
 */
export function partsOf(text: string, lines = false): Part[] {
  const parts: Part[] = [];
  let shown = 0;
  let marks = 0;
  for (const found of text.matchAll(lines ? SEARCH_LINES : SEARCH)) {
    const hidden = found[1];
    if (hidden === undefined) continue;
    if (++marks > MOST_MARKS) break;
    if (found.index > shown) parts.push(text.slice(shown, found.index));
    parts.push([...hidden].map(describe));
    shown = found.index + hidden.length;
  }
  const rest = text.slice(shown);
  if (rest !== "") parts.push(marks > MOST_MARKS ? written(rest, lines) : rest);
  return parts;
}

/** Returns the text with marks in place of hidden characters, for places that cannot have elements. */
export function visibleText(text: string): string {
  return written(text, false);
}

function written(text: string, lines: boolean): string {
  return text.replace(lines ? SEARCH_LINES : SEARCH, (found, hidden?: string) =>
    hidden === undefined ? found : markOf([...hidden].map(describe)),
  );
}

/** Returns the mark of hidden characters, `⟨U+202E⟩`; of a long row only the beginning. */
export function markOf(hidden: readonly HiddenCharacter[]): string {
  const codes = hidden.slice(0, SPELLED).map(({ code }) => code);
  const more = hidden.length - codes.length;
  return `⟨${codes.join(" ")}${more > 0 ? ` and ${more} more` : ""}⟩`;
}

/** Returns the names of hidden characters: `U+202E right-to-left override`. */
export function namesOf(hidden: readonly HiddenCharacter[]): string {
  const names = hidden.slice(0, SPELLED).map(({ code, name }) => `${code} ${name}`);
  const more = hidden.length - names.length;
  return names.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

function describe(character: string): HiddenCharacter {
  const point = character.codePointAt(0) ?? 0;
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1];
  return {
    code: `U+${point.toString(16).toUpperCase().padStart(4, "0")}`,
    name: NAMES.get(point) ?? kind ?? "invisible character",
  };
}

const ESCAPES: Readonly<Record<string, string>> = { "␀": "\\0", "␉": "\\t", "␊": "\\n", "␍": "\\r", "␛": "\\e" };

/** Replaces the control pictures in a text from the backend by escapes, as the pictures are too small to be read. */
export function escapesOf(text: string): string {
  return text.replaceAll(/[\u2400-\u241F\u2421]/g, (picture) => {
    const code = picture === "␡" ? 0x7f : picture.charCodeAt(0) - 0x2400;
    return ESCAPES[picture] ?? `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/** Scripts whose letters are named to the user. */
const SCRIPTS = (
  "Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Cherokee Coptic Lisu Devanagari Bengali Tamil " +
  "Thai Lao Khmer Myanmar Ethiopic Han Hiragana Katakana Bopomofo Hangul"
)
  .split(" ")
  .map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, "u") }));
const NAMED = new RegExp(`[${SCRIPTS.map(({ name }) => `\\p{Script=${name}}`).join("")}]`, "gu");

/** Scripts that occur together in one language (Unicode Technical Standard 39, highly restrictive). */
const TOGETHER = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Returns the scripts of the letters in a text. */
export function scriptsOf(text: string): string[] {
  const scripts = SCRIPTS.filter(({ letter }) => letter.test(text)).map(({ name }) => name);
  return /\p{L}/u.test(text.replaceAll(NAMED, "").replaceAll(/\P{Alphabetic}|\p{Script=Common}/gu, ""))
    ? [...scripts, "other"]
    : scripts;
}

/** Returns the scripts in the first word that mixes scripts which no language mixes; none if there is no such word. */
export function mixedScripts(text: string): string[] {
  // Almost every text is ASCII.
  if (/^\p{ASCII}*$/u.test(text)) return [];
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}_-]+/gu)) {
    const scripts = scriptsOf(word);
    const usual = TOGETHER.some((together) => scripts.every((script) => together.includes(script)));
    if (scripts.length > 1 && !usual) return scripts;
  }
  return [];
}

/** `Latin and Cyrillic letters` */
export function lettersWords(scripts: readonly string[]): string {
  const last = scripts.at(-1) ?? "";
  const names = scripts.length > 1 ? `${scripts.slice(0, -1).join(", ")} and ${last}` : last;
  return `${names} letters`;
}
