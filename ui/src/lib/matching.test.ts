import { describe, expect, it } from "vitest";

import { pieces, score, wordsOf, snippet } from "./matching";

describe("score", () => {
  const of = (search: string, title: string, detail = ""): number => score(wordsOf(search), title, detail);

  it("prefers the whole, then the beginning, then a word, then any place, then the detail", () => {
    const scores = [
      of("hello", "Hello"),
      of("hello", "Hello there"),
      of("hello", "Say hello"),
      of("hello", "Othello"),
      of("hello", "Greet", "says hello"),
    ];
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
    expect(of("hello", "Wave")).toBe(0);
  });

  it("wants every word, wherever it is", () => {
    expect(of("hello demo", "Say hello", "Demo server")).toBeGreaterThan(0);
    expect(of("hello files", "Say hello", "Demo server")).toBe(0);
    expect(of("lo", "hello (lo)")).toBe(30);
  });
});

describe("pieces", () => {
  it("marks what was found and loses nothing", () => {
    expect(pieces("Say hello", wordsOf("ELL say"))).toEqual([
      { text: "Say", found: true },
      { text: " h", found: false },
      { text: "ell", found: true },
      { text: "o", found: false },
    ]);
    expect(pieces("", wordsOf("a"))).toEqual([]);
    expect(pieces("aaa", wordsOf("aa"))).toEqual([
      { text: "aa", found: true },
      { text: "a", found: false },
    ]);
    expect(pieces("İstanbul", wordsOf("stan"))).toEqual([{ text: "İstanbul", found: false }]);
  });
});

describe("snippet", () => {
  it("begins at a word before what was found, and never after it", () => {
    expect(snippet("one two three four", ["three"], 6, 9)).toBe("…two three…");
    expect(snippet(`${"x".repeat(20)}needle${"y".repeat(20)} z`, ["needle"], 3, 12)).toBe("…xxxneedleyyy…");
    expect(snippet("as short as it is", ["nowhere"], 3, 80)).toBe("as short as it is");
  });
});
