import { describe, expect, it } from "vitest";

import { factsOf, factsText, levels } from "./progressRates";

const rate = (from: number, to: number, rate: number | null) => ({ from, to, rate });

describe("the rates of a run", () => {
  it("have a mean over the time, not over their number", () => {
    const facts = factsOf([rate(0, 3_000_000, 1), rate(3_000_000, 4_000_000, 9)]);
    expect(facts).toEqual({ least: 1, mean: 3, most: 9 });
    expect(facts && factsText(facts)).toBe("min 1.0 / s · mean 3.0 / s · max 9.0 / s");
  });

  it("count no stretch in which the progress fell", () => {
    expect(factsOf([rate(0, 1, null), rate(1, 2, 4)])).toEqual({ least: 4, mean: 4, most: 4 });
    expect(factsOf([rate(0, 1, null)])).toBeNull();
    expect(factsOf([])).toBeNull();
  });

  it("are a level for each stretch, with a gap where the progress fell", () => {
    const rates = [rate(0, 10, 2), rate(10, 20, 4), rate(20, 30, null), rate(30, 40, 0)];
    expect(levels(rates, 4, 40, 8)).toBe("M0.0 4.0H10.0L10.0 0.0H20.0M30.0 8.0H40.0");
  });

  it("lie on the axis where nothing moved", () => {
    expect(levels([rate(0, 10, 0)], 0, 40, 8)).toBe("M0.0 8.0H40.0");
  });
});
