/** Search of the guide for a text or a failure. */
import { cached } from "../../lib/cached";
import { snippet } from "../../lib/matching";
import type { Section } from "./pages";
import { foundIn, marksIn, placeOfAll, searched, wantedOf, type Searched, type Wanted } from "./wordStems";

/** A found section, with the line to show. */
export interface Hit {
  readonly section: Section;
  readonly snippet: string;
  /** Words to mark in the heading and the line. */
  readonly marks: readonly string[];
}

/** Limit of hits shown. */
const MOST_HITS = 40;
/** Characters of a snippet before the hit, and in total. */
const BEFORE = 40;
const MOST_SHOWN = 150;

/** Weights of a word by the place of its hit: the title of a page before a heading before a text. */
const WORTH = { title: 40, heading: 30, also: 25, text: 10 };
/** Weights for the words in sequence, and for a place with nothing else. */
const TOGETHER = 20;
const ALONE = 40;
/**
 * Weight for the words at the beginning of a place, and for a section's first search phrase; each later phrase gets one
 * less.
 */
const FIRST = 10;

/** A section, prepared for searches. */
interface Place {
  readonly section: Section;
  readonly titled: boolean;
  readonly title: Searched;
  readonly heading: Searched;
  readonly also: readonly Searched[];
  readonly text: Searched;
}

const prepared = new WeakMap<readonly Section[], readonly Place[]>();

function placesOf(sections: readonly Section[]): readonly Place[] {
  return cached(prepared, sections, () => {
    const titles = new Map<string, Section>();
    for (const section of sections) if (!titles.has(section.page)) titles.set(section.page, section);
    return sections.map((section) => {
      const first = titles.get(section.page) ?? section;
      return {
        section,
        titled: first === section,
        title: searched(first.heading),
        heading: searched(section.heading),
        also: section.also.map(searched),
        text: searched(`${section.text} ${section.codes.join(" ")}`),
      };
    });
  });
}

/**
 * Scores a section: each word has to be in it or in the title of its page, and one of them in the section itself;
 * otherwise the score is 0. `all` includes the small words: “log in” is more than “log”.
 */
function valueOf(wanted: readonly Wanted[], all: readonly Wanted[], place: Place): number {
  let value = 0;
  let own = false;
  for (const word of wanted) {
    const here = Math.max(
      foundIn(word, place.heading) * (place.titled ? WORTH.title : WORTH.heading),
      ...place.also.map((phrase) => foundIn(word, phrase) * WORTH.also),
      foundIn(word, place.text) * WORTH.text,
    );
    if (here === 0 && foundIn(word, place.title) === 0) return 0;
    value += here || 1;
    own ||= here > 0;
  }
  if (!own) return 0;
  const whole = (text: Searched): number => {
    const [words] = [all, wanted].filter((each) => placeOfAll(each, text) >= 0);
    if (!words) return 0;
    const at = placeOfAll(words, text);
    return TOGETHER + (at === 0 ? FIRST : 0) + (text.stems.length === words.length ? ALONE : 0);
  };
  const phrases = place.also.map((phrase, at) => {
    const value = whole(phrase);
    return value < ALONE ? value : value + Math.max(0, FIRST - at);
  });
  const best = Math.max(whole(place.heading), whole(place.text), ...phrases);
  // A short heading is more specific to its words than a long one.
  const part =
    wanted.filter((word) => foundIn(word, place.heading) > 0).length / Math.max(1, place.heading.stems.length);
  return value + best + part * 10;
}

/** True if a word is in a section or in the title of its page. */
function isIn(word: Wanted, { title, heading, also, text }: Place): boolean {
  return [title, heading, ...also, text].some((part) => foundIn(word, part) > 0);
}

/** Splits the words of a search into those found in any section, and those found nowhere. */
function knownOf(places: readonly Place[], wanted: readonly Wanted[]) {
  const isKnown = (word: Wanted): boolean => places.some((place) => isIn(word, place));
  const known = wanted.filter(isKnown);
  return { known, unknown: wanted.filter((word) => !known.includes(word)) };
}

/** Words that a search ignores because they are found nowhere; empty if it finds nothing at all. */
export function leftOutOf(sections: readonly Section[], text: string): readonly string[] {
  const { known, unknown } = knownOf(placesOf(sections), wantedOf(text).wanted);
  return known.length === 0 ? [] : unknown.map(({ word }) => word);
}

interface Scored {
  readonly section: Section;
  readonly value: number;
}

/** Scores the sections with the most of the words, for a search without a section that has all of them. */
function withMost(places: readonly Place[], wanted: readonly Wanted[]): readonly Scored[] {
  let most = 1;
  const scored = places.flatMap((place) => {
    const here = wanted.filter((word) => isIn(word, place));
    const value = here.length === 0 ? 0 : valueOf(here, here, place);
    if (value > 0) most = Math.max(most, here.length);
    return value === 0 ? [] : [{ section: place.section, value, words: here.length }];
  });
  return scored.filter(({ words }) => words === most);
}

/**
 * Line of a section with the most of the words, else with the most of its search phrases' words; cut to the shown
 * length.
 */
function lineOf({ lines, also, text }: Section, wanted: readonly Wanted[]): string {
  const best = (words: readonly Wanted[]): string | undefined => {
    let found: string | undefined;
    let most = 0;
    for (const line of lines) {
      const read = searched(line);
      const here = words.filter((word) => foundIn(word, read) > 0).length;
      if (here > most) [found, most] = [line, here];
    }
    return found;
  };
  const line = best(wanted) ?? best(wantedOf(also.join(" ")).wanted) ?? text;
  return snippet(line, marksIn(wanted, line), BEFORE, MOST_SHOWN);
}

/** Compares a sentence, in which `…` stands for the varying parts, with a text, ignoring quotes and markup. */
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
 * Finds the sections with all of the words in any form, best first; without such sections, those with the most words.
 * Words that are found nowhere are ignored. A whole sentence shown by Sonde finds its entry, regardless of its varying
 * parts.
 */
export function searchSections(sections: readonly Section[], text: string): readonly Hit[] {
  const places = placesOf(sections);
  const search = wantedOf(text);
  const { known: wanted, unknown } = knownOf(places, search.wanted);
  const all = search.all.filter((word) => !unknown.includes(word));
  const said = text.trim().split(/\s+/).length > 2 ? saying(sections, text) : [];
  if (wanted.length === 0 && said.length === 0) return [];
  const whole: readonly Scored[] =
    wanted.length === 0
      ? []
      : places
          .map((place) => ({ section: place.section, value: valueOf(wanted, all, place) }))
          .filter(({ value }) => value > 0);
  const scored = (whole.length > 0 || said.length > 0 ? whole : withMost(places, wanted))
    .filter(({ section }) => !said.includes(section))
    .toSorted((a, b) => b.value - a.value);
  return [...said, ...scored.map(({ section }) => section)].slice(0, MOST_HITS).map((section) => {
    const line = lineOf(section, wanted);
    return { section, snippet: line, marks: marksIn(wanted, `${section.heading} ${line}`) };
  });
}

/** Finds the entries of failures whose sentence is this text. */
function saying(sections: readonly Section[], text: string): readonly Section[] {
  return sections.filter(({ codes, heading }) => codes.length > 0 && fits(heading, text));
}

/** True if an entry names this code. */
export function isAbout({ codes }: Section, code: string): boolean {
  return codes.some((named) => named === code || (named.startsWith("…") && code.endsWith(named.slice(1))));
}

/** Finds the entry about a failure: by its code and sentence, else by its code, else by its sentence. */
export function entryAbout(
  sections: readonly Section[],
  failure: { readonly code: string; readonly sentence: string },
): Section | undefined {
  const said = saying(sections, failure.sentence);
  const coded = sections.filter((section) => isAbout(section, failure.code));
  return said.find((section) => coded.includes(section)) ?? coded[0] ?? said[0];
}
