import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { course, distribution } from "./latency";

const trip = (micros: number, at = 0, failed = false) => ({ at, micros, failed });

describe("distribution", () => {
  it("counts each round trip once, in bars side by side", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e10), { minLength: 1, maxLength: 200 }), (all) => {
        const bars = distribution(all.map((micros) => trip(micros)));
        expect(bars.length).toBeLessThanOrEqual(24);
        expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(all.length);
        bars.slice(1).forEach((bar, at) => expect(bar.from).toBe(bars[at]?.to));
        expect(bars[0]?.from).toBe(Math.max(1, Math.min(...all)));
        expect(bars.at(-1)?.to).toBe(Math.max(1, ...all));
      }),
    );
  });

  it("puts short and long ones apart", () => {
    const bars = distribution([1000, 1010, 1_000_000].map((micros) => trip(micros)));
    expect([bars[0]?.count, bars.at(-1)?.count]).toEqual([2, 1]);
    expect(distribution([trip(5), trip(5)])).toEqual([{ from: 5, to: 5, count: 2 }]);
    expect(distribution([])).toEqual([]);
  });
});

describe("course", () => {
  it("places round trips by time and duration", () => {
    expect(course([trip(50, 100), trip(100, 150, true), trip(0, 200)])).toEqual([
      { x: 0, y: 0.5, failed: false },
      { x: 0.5, y: 1, failed: true },
      { x: 1, y: 0, failed: false },
    ]);
    expect(course([trip(1, 7)])).toEqual([{ x: 0.5, y: 1, failed: false }]);
    expect(course([trip(1, 7), trip(1, 7)]).map(({ x }) => x)).toEqual([0, 1]);
  });
});
