import { describe, expect, it } from "vitest";

import { testRow as row } from "./testing";
import { atLeast, producedBy, shortBytes, shortId, spanOf } from "./wireWords";

describe("the part of time that a row takes", () => {
  const group = { entries: 3, open: false, until: 1700, shown: 7, http: null, status: null };

  it.each([
    ["a moment", {}, 1000],
    ["from a request to its response", { micros: 2500, partner: 6 }, 1002.5],
    ["the moment of a response", { micros: 2500, partner: 4 }, 1000],
    ["from the first to the last of a notification that comes again", { group }, 1700],
    ["a moment once each of them has its own row", { group: { ...group, open: true } }, 1000],
    ["a moment of a stream that stays open", { group: { ...group, http: "GET /mcp" } }, 1000],
  ])("is %s", (_, change, to) => expect(spanOf(row(change))).toEqual({ from: 1000, to }));
});

it("writes sizes so that they fit into a narrow column", () => {
  expect([0, 1, 812, 1234].map(shortBytes)).toEqual(["0 B", "1 B", "812 B", "1.21 KB"]);
});

it("counts the log messages of a level and above", () => {
  const counts = [1, 2, 0, 4, 0, 0, 0, 1];
  expect([0, 3, 7].map((level) => atLeast(level, counts))).toEqual([
    "debug and above (8)",
    "warning and above (5)",
    "emergency (1)",
  ]);
});

it("says which run a log message came from", () => {
  const message = row({ kind: "notification", level: 1 });
  expect(producedBy({ ...message, operation: 7 })).toBe("run 7");
  expect(producedBy({ ...message, ambiguous: true })).toBe("one of several runs");
  expect(producedBy(message)).toBe("no run");
  expect(producedBy(row({ kind: "stderr" }))).toBe("");
});

it("cuts an id in its middle, and only one that is too long for its column", () => {
  expect(shortId("12345")).toBe("12345");
  expect(shortId("123456789")).toBe("123456789");
  expect(shortId('"550e8400-e29b-41d4-a716-446655440000"')).toBe('"550…000"');
  // Characters are never split.
  expect(shortId("😀😀😀😀😀😀😀😀😀😀")).toBe("😀😀😀😀…😀😀😀😀");
});
