import type { CatalogKind, ListChangeClass, ListComparison, ListedChange, ListMoment } from "../../ipc/bindings";
import { kindWords } from "../../components/kindWords";
import { count, number } from "../../lib/format";

/** Classes of changes, the worst first. */
export const CLASSES: readonly ListChangeClass[] = ["breaking", "additive", "routing", "cosmetic"];

interface ClassWords {
  readonly title: string;
  /** Words after a number of changes. */
  readonly some: string;
  readonly means: string;
}

export const CLASS_WORDS: Readonly<Record<ListChangeClass, ClassWords>> = {
  breaking: {
    title: "Breaking",
    some: "breaking",
    means: "Calls that worked may fail, or be confirmed differently.",
  },
  additive: { title: "Additive", some: "additive", means: "More than before. Nothing that worked is different." },
  routing: { title: "Descriptions", some: "in descriptions", means: "Words that a model chooses by." },
  cosmetic: {
    title: "For people",
    some: "for people",
    means: "Titles, icons and other members that only people see.",
  },
};

export const MOMENT_WORDS: Readonly<Record<ListMoment, string>> = {
  now: "As they are now",
  accepted: "As they were accepted",
};

/** "2 breaking, 1 additive": the numbers of changes by class. */
export function changesWords({ changes, more, unread }: ListComparison): string {
  if (changes.length === 0) return unread.length === 0 ? "No changes" : "No changes in the lists that were compared";
  const parts = CLASSES.flatMap((each) => {
    const found = changes.filter((change) => change.class === each).length;
    return found > 0 ? [`${number(found)} ${CLASS_WORDS[each].some}`] : [];
  });
  const rest = more > 0 ? [`${number(more)} more not listed`] : [];
  return `${count(changes.length + more, "change", "changes")}: ${[...parts, ...rest].join(", ")}`;
}

/** Groups the changes of a class by list, in the order of the first change. */
export function byList(changes: readonly ListedChange[]): readonly (readonly [CatalogKind, readonly ListedChange[]])[] {
  const found = new Map<CatalogKind, ListedChange[]>();
  for (const change of changes) found.set(change.list, [...(found.get(change.list) ?? []), change]);
  return [...found];
}

/** Formats a comparison as Markdown. */
export function comparisonText(comparison: ListComparison): string {
  const { left, right, changes, unread } = comparison;
  const sections = CLASSES.flatMap((each) => {
    const found = changes.filter((change) => change.class === each);
    if (found.length === 0) return [];
    return [
      `## ${CLASS_WORDS[each].title}\n\n${found.map(({ list, words }) => `- ${kindWords[list].title}: ${words}\n`).join("")}`,
    ];
  });
  const rest = unread.length === 0 ? [] : [unread.map((sentence) => `- ${sentence}\n`).join("")];
  return [`# ${left} and ${right}\n\n${changesWords(comparison)}.\n`, ...sections, ...rest].join("\n");
}
