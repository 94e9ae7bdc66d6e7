import { describe, expect, it } from "vitest";

import { MAX_HEIGHT, positionFor, scrollScale, toPhysical, toVirtual, visibleRange, wheelPixels } from "./scaledScroll";

describe("scrollScale", () => {
  it("leaves a list of ordinary length to the browser", () => {
    const scale = scrollScale(10_000, 20, 600);
    expect(scale.scaled).toBe(false);
    expect(scale.physicalHeight).toBe(200_000);
    expect(toVirtual(scale, 1234)).toBe(1234);
    expect(toPhysical(scale, 1234)).toBe(1234);
  });

  it("never lays out more than the limit", () => {
    const scale = scrollScale(5_000_000, 20, 600);
    expect(scale.scaled).toBe(true);
    expect(scale.physicalHeight).toBe(MAX_HEIGHT);
  });

  it("reaches both ends of a scaled list with the scroll bar", () => {
    const scale = scrollScale(5_000_000, 20, 600);
    expect(toVirtual(scale, 0)).toBe(0);
    expect(toVirtual(scale, MAX_HEIGHT - 600)).toBe(5_000_000 * 20 - 600);
    expect(visibleRange(scale, toVirtual(scale, MAX_HEIGHT - 600), 0, 1).to).toBe(5_000_000);
  });

  it("maps there and back", () => {
    const scale = scrollScale(1_000_000, 20, 500);
    for (const row of [0, 1, 499_999, 999_000]) {
      const top = row * 20;
      expect(toVirtual(scale, toPhysical(scale, top))).toBeCloseTo(top, 3);
    }
  });

  it("reaches every row by stepping the virtual position", () => {
    const scale = scrollScale(700_001, 20, 400);
    for (const row of [0, 350_000, 699_999, 700_000]) {
      const top = positionFor(scale, 0, row, "center");
      const range = visibleRange(scale, top, 0, 1);
      expect(row).toBeGreaterThanOrEqual(range.from);
      expect(row).toBeLessThan(range.to);
    }
  });

  it("has nothing to scroll when all rows fit", () => {
    const scale = scrollScale(3, 20, 600);
    expect(toVirtual(scale, 50)).toBe(0);
    expect(visibleRange(scale, 0, 10, 1)).toEqual({ from: 0, to: 3 });
  });
});

describe("visibleRange", () => {
  it("moves in steps, so that small scrolls render nothing", () => {
    const scale = scrollScale(1000, 20, 200);
    expect(visibleRange(scale, 400, 5, 10)).toEqual(visibleRange(scale, 410, 5, 10));
    expect(visibleRange(scale, 400, 5, 10)).toEqual({ from: 10, to: 40 });
  });

  it("is empty without rows", () => {
    expect(visibleRange(scrollScale(0, 20, 200), 0, 5, 10)).toEqual({ from: 0, to: 0 });
  });
});

describe("positionFor", () => {
  const scale = scrollScale(1000, 20, 200);
  it("stays where the row is visible", () => {
    expect(positionFor(scale, 400, 22, "nearest")).toBe(400);
  });
  it("moves as little as needed", () => {
    expect(positionFor(scale, 400, 10, "nearest")).toBe(200);
    expect(positionFor(scale, 400, 40, "nearest")).toBe(620);
  });
});

describe("wheelPixels", () => {
  it("knows the three units", () => {
    expect(wheelPixels(3, 0, 20, 600)).toBe(3);
    expect(wheelPixels(3, 1, 20, 600)).toBe(60);
    expect(wheelPixels(1, 2, 20, 600)).toBe(600);
  });
});
