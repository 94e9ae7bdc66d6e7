import { diffArrays } from "diff";

/** A position in the first sequence, and the equal one in the second. */
export type Pair = readonly [left: number, right: number];

export interface Common {
  /** In order; each place at most once. */
  readonly pairs: readonly Pair[];
  /** The sequences differ so much that some equal places may not be paired. */
  readonly cut: boolean;
}

/** Limit of differences that are followed. The time grows with their square. */
export const MOST_DIFFERENCES = 1_500;

/**
 * Returns the longest common subsequence. Where the sequences differ in more than {@link MOST_DIFFERENCES} places,
 * only their common ends and items that occur once in both are paired.
 */
export function common<T>(left: readonly T[], right: readonly T[], most: number = MOST_DIFFERENCES): Common {
  const parts = diffArrays([...left], [...right], { maxEditLength: most });
  if (!parts) return { pairs: ofUnique(left, right), cut: true };
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (added) b += count;
    else if (removed) a += count;
    else for (let end = a + count; a < end;) pairs.push([a++, b++]);
  }
  return { pairs, cut: false };
}

function ofUnique<T>(left: readonly T[], right: readonly T[]): Pair[] {
  const shorter = Math.min(left.length, right.length);
  let [start, end] = [0, 0];
  while (start < shorter && left[start] === right[start]) start++;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const places = placesOfUnique(right, start, right.length - end);
  const found = [...placesOfUnique(left, start, left.length - end)].flatMap(([value, place]): Pair[] => {
    const other = places.get(value);
    return other === undefined ? [] : [[place, other]];
  });
  return [
    ...Array.from({ length: start }, (_, at): Pair => [at, at]),
    ...rising(found.sort((a, b) => a[0] - b[0])),
    ...Array.from({ length: end }, (_, at): Pair => [left.length - end + at, right.length - end + at]),
  ];
}

function placesOfUnique<T>(values: readonly T[], start: number, end: number): Map<T, number> {
  const places = new Map<T, number>();
  const often = new Set<T>();
  for (const [at, value] of values.slice(start, end).entries()) {
    if (places.has(value)) often.add(value);
    else places.set(value, start + at);
  }
  for (const value of often) places.delete(value);
  return places;
}

/**
 * Returns the longest subset of pairs that rises in both sequences, by patience sorting; the pairs are sorted by the
 * first one already.
 */
function rising(pairs: readonly Pair[]): Pair[] {
  /** `ends` has the last pair of the best run of each length; `previous` has each pair's predecessor. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, right]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((pairs[ends[half] ?? 0]?.[1] ?? 0) < right) low = half + 1;
      else high = half;
    }
    before.push(low === 0 ? -1 : (ends[low - 1] ?? -1));
    ends[low] = index;
  }
  const found: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) found.push(pair);
  }
  return found.reverse();
}
