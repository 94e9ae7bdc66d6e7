/** Common subsequence of two sequences. */

/** A place of the first sequence, and the equal place of the second. */
export type Pair = readonly [left: number, right: number];

export interface Common {
  /** In order; each place at most once. */
  readonly pairs: readonly Pair[];
  /** The sequences differ so much that not all was looked for. */
  readonly cut: boolean;
}

/** Limit of differences that are followed. The memory for them grows with the square. */
export const MOST_DIFFERENCES = 1_500;

/**
 * Returns the longest common subsequence (Myers, "An O(ND) Difference Algorithm and Its Variations") of items that
 * equal numbers stand for. Where the sequences differ in more than {@link MOST_DIFFERENCES} places, only items that
 * occur once in both are paired.
 */
export function common(left: ArrayLike<number>, right: ArrayLike<number>, most: number = MOST_DIFFERENCES): Common {
  const pairs: Pair[] = [];
  let start = 0;
  const shorter = Math.min(left.length, right.length);
  while (start < shorter && left[start] === right[start]) pairs.push([start, start++]);
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const [leftEnd, rightEnd] = [left.length - end, right.length - end];
  const middle = shortest(left, right, start, leftEnd, rightEnd, most);
  pairs.push(...(middle ?? unique(left, right, start, leftEnd, rightEnd)));
  for (let at = 0; at < end; at++) pairs.push([leftEnd + at, rightEnd + at]);
  return { pairs, cut: middle === null };
}

/** By the fewest differences; `null` where there are more than `most`. Both ranges begin at `start`. */
function shortest(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  start: number,
  leftEnd: number,
  rightEnd: number,
  most: number,
): Pair[] | null {
  const [n, m] = [leftEnd - start, rightEnd - start];
  if (n === 0 || m === 0) return [];
  const limit = Math.min(most, n + m);
  // How far each diagonal reaches, by its number; every round keeps those it began with.
  const reach = new Int32Array(2 * limit + 3);
  const rounds: Int32Array[] = [];
  const middle = limit + 1;
  for (let d = 0; d <= limit; d++) {
    rounds.push(reach.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      let x = down(reach, middle, k, d) ? at(reach, middle + k + 1) : at(reach, middle + k - 1) + 1;
      let y = x - k;
      while (x < n && y < m && left[start + x] === right[start + y]) {
        x++;
        y++;
      }
      reach[middle + k] = x;
      if (x >= n && y >= m) return backtrack(rounds, start, n, m);
    }
  }
  return null;
}

function at(reach: Int32Array, index: number): number {
  return reach[index] ?? 0;
}

/** Returns true if a step in the second sequence reaches a diagonal best. */
function down(reach: Int32Array, middle: number, k: number, d: number): boolean {
  return k === -d || (k !== d && at(reach, middle + k - 1) < at(reach, middle + k + 1));
}

function backtrack(rounds: readonly Int32Array[], start: number, n: number, m: number): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [n, m];
  for (let d = rounds.length - 1; d >= 0; d--) {
    const reach = rounds[d];
    if (!reach) break;
    const middle = d + 1;
    const k = x - y;
    const before = down(reach, middle, k, d) ? k + 1 : k - 1;
    const beforeX = d === 0 ? 0 : at(reach, middle + before);
    const beforeY = d === 0 ? 0 : beforeX - before;
    while (x > beforeX && y > beforeY && x > 0 && y > 0) pairs.push([start + --x, start + --y]);
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}

/** Pairs the items that occur once in both ranges, as far as they have the same order in both. */
function unique(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  start: number,
  leftEnd: number,
  rightEnd: number,
): Pair[] {
  const places = placesOfUnique(right, start, rightEnd);
  const candidates: Pair[] = [];
  for (const [value, place] of placesOfUnique(left, start, leftEnd)) {
    const other = places.get(value);
    if (other !== undefined) candidates.push([place, other]);
  }
  return rising(candidates.sort((a, b) => a[0] - b[0]));
}

function placesOfUnique(values: ArrayLike<number>, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  const often = new Set<number>();
  for (let place = start; place < end; place++) {
    const value = values[place] ?? 0;
    if (places.has(value)) often.add(value);
    else places.set(value, place);
  }
  for (const value of often) places.delete(value);
  return places;
}

/** The longest run of pairs that rises in both, by patience sorting; they rise in the first already. */
function rising(pairs: readonly Pair[]): Pair[] {
  /** The last pair of the best run of each length, and of each pair the one before it. */
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
