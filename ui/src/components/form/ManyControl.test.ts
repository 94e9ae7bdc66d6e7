import { expect, it } from "vitest";

import type { JsonNode } from "../../schema/node";
import type { ManyPlan } from "../../schema/plan";
import { isTickable } from "./ManyControl";

it("looks at each option and each item a few times, however many there are", () => {
  let looks = 0;
  const text = (value: string): JsonNode =>
    ({
      get kind() {
        looks++;
        return "string";
      },
      value,
    }) as JsonNode;
  const many = Array.from({ length: 2_000 }, (_, n) => `value ${n}`);
  const plan = { options: many.map((value) => ({ label: value, value: text(value) })) } as unknown as ManyPlan;
  const list = (items: string[]): JsonNode =>
    ({ kind: "array", items: items.map((value, id) => ({ id, value: text(value) })) }) as JsonNode;
  expect(isTickable(plan, list(many))).toBe(true);
  expect(isTickable(plan, list([...many, "value 7"]))).toBe(false);
  expect(isTickable(plan, list(["another"]))).toBe(false);
  expect(looks).toBeLessThan(20 * 2_000);
});
