import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compareLines, placesOf, unifiedText, withoutEqual } from "./lineDifference";

const text = fc.array(fc.constantFrom("a", "b", "", "\r", " a", "+a", "-a", "@@", "\u2028"), { maxLength: 30 });

describe("compareLines", () => {
  it("holds both texts, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [left, right] = [before.join("\n"), after.join("\n")];
        const { lines } = compareLines(left, right);
        expect(lines.flatMap((line) => (line.kind === "added" ? [] : [line.text])).join("\n")).toBe(left);
        expect(lines.flatMap((line) => (line.kind === "removed" ? [] : [line.text])).join("\n")).toBe(right);
        for (const side of ["left", "right"] as const) {
          const numbers = lines.flatMap((line) => line[side] ?? []);
          expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        }
      }),
    );
  });

  it("keeps what is around a difference, and nothing where there is none", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, around) => {
        const { lines } = compareLines(before.join("\n"), after.join("\n"));
        const rows = withoutEqual(lines, around);
        const changed = lines.filter(({ kind }) => kind !== "same");
        expect(rows.filter(({ kind }) => kind === "removed" || kind === "added")).toEqual(changed);
        const shown = rows.reduce((sum, row) => sum + (row.kind === "gap" ? row.lines : 1), 0);
        expect(shown).toBe(changed.length === 0 ? 0 : lines.length);
      }),
    );
  });
});

const left = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const right = [...left.slice(0, 14), "line fifteen", ...left.slice(15), "line 31"];
const rows = withoutEqual(compareLines(left.join("\n"), right.join("\n")).lines);

it("shows the places of the differences", () => {
  expect(rows[0]).toEqual({ kind: "gap", lines: 11 });
  expect(placesOf(rows).map((place) => rows[place])).toEqual([
    { kind: "removed", left: 15, right: null, text: "line 15" },
    { kind: "added", left: null, right: 31, text: "line 31" },
  ]);
});

it("has context at one side only before the first difference and after the last", () => {
  const after = ["a", ...left];
  const shown = withoutEqual(compareLines(left.join("\n"), after.join("\n")).lines);
  expect(shown.map((row) => (row.kind === "gap" ? row.lines : row.text))).toEqual([
    "a",
    "line 1",
    "line 2",
    "line 3",
    27,
  ]);
});

it("is copied as diff writes it", () => {
  expect(unifiedText(rows, ["one", "two"])).toBe(
    `--- one
+++ two
@@ -12,7 +12,7 @@
 line 12
 line 13
 line 14
-line 15
+line fifteen
 line 16
 line 17
 line 18
@@ -28,3 +28,4 @@
 line 28
 line 29
 line 30
+line 31
`,
  );
});
