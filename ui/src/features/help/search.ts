/** What the guide says about a text or a failure. */
import { score, snippet, wordsOf } from "../../lib/matching";
import type { Section } from "./pages";

/** A section that was found, with the place in its text. */
export interface Hit {
  readonly section: Section;
  readonly snippet: string;
}

/** Hits that are shown. */
const MOST = 40;
/** Characters of a snippet before what was found, and in all. */
const BEFORE = 40;
const MOST_SHOWN = 150;

/** A sentence with `…` for what differs from case to case, compared without quotes and marks. */
function fits(sentence: string, text: string): boolean {
  const plain = (words: string): string =>
    words
      .toLowerCase()
      .replace(/[`“”"]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const parts = plain(sentence)
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join(".*?"), "s").test(plain(text));
}

/**
 * Sections in which all the words are found, the best first. A whole sentence that Sonde says finds its
 * entry, whatever stands in it.
 */
export function searchSections(sections: readonly Section[], text: string): readonly Hit[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const said = words.length > 2 ? sections.filter(({ codes, heading }) => codes.length > 0 && fits(heading, text)) : [];
  const scored = sections
    .map((section) => ({
      section,
      value: score(words, section.heading, `${section.text} ${section.codes.join(" ")}`),
    }))
    .filter(({ value, section }) => value > 0 && !said.includes(section))
    .toSorted((a, b) => b.value - a.value);
  return [...said, ...scored.map(({ section }) => section)]
    .slice(0, MOST)
    .map((section) => ({ section, snippet: snippet(section.text, words, BEFORE, MOST_SHOWN) }));
}

/** Whether an entry names this code. */
export function isAbout({ codes }: Section, code: string): boolean {
  return codes.some((named) => named === code || (named.startsWith("…") && code.endsWith(named.slice(1))));
}

/** The entry about a failure: by its code and sentence, else by either. */
export function entryAbout(
  sections: readonly Section[],
  failure: { readonly code: string; readonly sentence: string },
): Section | undefined {
  const said = sections.filter(({ codes, heading }) => codes.length > 0 && fits(heading, failure.sentence));
  const coded = sections.filter((section) => isAbout(section, failure.code));
  return said.find((section) => coded.includes(section)) ?? coded[0] ?? said[0];
}
