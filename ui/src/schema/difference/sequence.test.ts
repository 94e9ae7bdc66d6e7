import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { common } from "./sequence";

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const sequence = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 });

/** Computes the length of the longest common subsequence with a table of all prefixes. */
function longest(left: readonly number[], right: readonly number[]): number {
  let row = right.map(() => 0);
  for (const value of left) {
    const next: number[] = [];
    for (const [place, other] of right.entries()) {
      next.push(
        value === other ? (place > 0 ? (row[place - 1] ?? 0) : 0) + 1 : Math.max(row[place] ?? 0, next[place - 1] ?? 0),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function expectRising(left: readonly number[], right: readonly number[], most?: number) {
  const { pairs, cut } = common(left, right, most);
  let [lastLeft, lastRight] = [-1, -1];
  for (const [a, b] of pairs) {
    expect(left[a]).toBe(right[b]);
    expect(a).toBeGreaterThan(lastLeft);
    expect(b).toBeGreaterThan(lastRight);
    [lastLeft, lastRight] = [a, b];
  }
  return { pairs, cut };
}

describe("common", () => {
  it("finds what the paper finds", () => {
    expect(common(letters("abcabba"), letters("cbabac")).pairs).toHaveLength(4);
  });

  it("is the longest, in order, of the same values", () => {
    fc.assert(
      fc.property(sequence, sequence, (left, right) => {
        const { pairs, cut } = expectRising(left, right);
        expect(cut).toBe(false);
        expect(pairs).toHaveLength(longest(left, right));
      }),
    );
  });

  it("is still in order where it is cut, and says so", () => {
    fc.assert(
      fc.property(sequence, sequence, fc.integer({ min: 0, max: 3 }), (left, right, most) => {
        expectRising(left, right, most);
      }),
    );
    const one = Array.from({ length: 50 }, (_, index) => index);
    const { pairs, cut } = expectRising(one, one.toReversed(), 5);
    expect(cut).toBe(true);
    expect(pairs.length).toBeGreaterThan(0);
  });

  it("takes long sequences that are nothing alike", () => {
    const left = Array.from({ length: 100_000 }, (_, index) => index);
    const right = left.map((value) => (value % 2 === 0 ? value : value + 1_000_000));
    const { pairs, cut } = common(left, right);
    expect(cut).toBe(true);
    expect(pairs).toHaveLength(50_000);
  });
});
