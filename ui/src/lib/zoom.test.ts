import { expect, it } from "vitest";

import { nextZoom } from "./zoom";

it("goes step by step and stays at the ends", () => {
  expect(nextZoom(100, 1)).toBe(110);
  expect(nextZoom(100, -1)).toBe(90);
  expect(nextZoom(105, 1)).toBe(110);
  expect(nextZoom(300, 1)).toBe(300);
  expect(nextZoom(50, -1)).toBe(50);
});
