import { describe, expect, it } from "vitest";

import { escapesOf, markOf, mixedScripts, namesOf, partsOf, visibleText } from "./visible";

const codes = (text: string, lines = false): string[] =>
  partsOf(text, lines).flatMap((part) => (typeof part === "string" ? [] : part.map(({ code }) => code)));

describe("hidden characters", () => {
  it("stand apart from what shows itself", () => {
    expect(partsOf("a\u202Eb")).toEqual(["a", [{ code: "U+202E", name: "right-to-left override" }], "b"]);
    expect(partsOf("plain text, ünïcödé 日本 עברית")).toEqual(["plain text, ünïcödé 日本 עברית"]);
    expect(partsOf("")).toEqual([]);
  });

  it("are all kinds that are drawn as nothing or like something else", () => {
    const hidden = [
      ["\u200B", "zero width space"],
      ["\u2066", "left-to-right isolate"],
      ["\u{E0041}", "tag character"],
      ["\uFE0F", "variation selector"],
      ["\u{E0100}", "variation selector"],
      ["\u00A0", "no-break space"],
      ["\u2003", "unusual space"],
      ["\u3000", "ideographic space"],
      ["\u3164", "Hangul filler"],
      ["\u115F", "invisible character"],
      ["\u2800", "blank Braille pattern"],
      ["\u0007", "control character"],
      ["\u0085", "control character"],
      ["\uE000", "private-use character"],
      ["\u0378", "unassigned character"],
      ["\uD800", "lone surrogate"],
      ["\uFEFF", "zero width no-break space"],
    ];
    for (const [character = "", name] of hidden) {
      expect(partsOf(`a${character}b`)[1], name).toMatchObject([{ name }]);
    }
  });

  it("are characters that look like syntax", () => {
    expect(codes("a\u2044b\u2215c\u29F8d\u2024e\uFF0Ef\uA789g")).toEqual([
      "U+2044",
      "U+2215",
      "U+29F8",
      "U+2024",
      "U+FF0E",
      "U+A789",
    ]);
    expect(partsOf("a\u2044b")[1]).toMatchObject([{ name: "fraction slash" }]);
  });

  it("belong to emoji where they make one", () => {
    expect(codes("❤️ 👨‍👩‍👧 👍🏽 1️⃣")).toEqual([]);
    expect(codes("a\u200Db")).toEqual(["U+200D"]);
    expect(codes("❤\uFE0F\uFE0F")).toEqual(["U+FE0F"]);
  });

  it("are line feeds and tabs only where there are no lines", () => {
    expect(codes("a\n\tb")).toEqual(["U+000A", "U+0009"]);
    expect(codes("a\n\t\rb", true)).toEqual(["U+000D"]);
  });

  it("are lines in a row that push the rest out of sight", () => {
    expect(codes("a\n\n\nb", true)).toEqual([]);
    expect(codes("a\n \t\n\n\nb", true)).toEqual(["U+000A", "U+0020", "U+0009", "U+000A", "U+000A", "U+000A"]);
    expect(partsOf(`a${"\n".repeat(500)}  b`, true)).toEqual(["a", expect.any(Array), "  b"]);
  });

  it("are marks stacked on a letter, more than any writing has", () => {
    expect(codes("Việt a\u0323\u0302\u0301 ที่ נָּ֣א", true)).toEqual([]);
    expect(partsOf(`a${"\u0301".repeat(5)}b`)).toEqual([
      "a",
      Array(5).fill({ code: "U+0301", name: "combining mark" }),
      "b",
    ]);
  });

  it("are named, so many of them as can be read", () => {
    const [row] = partsOf("\u{E0041}".repeat(20));
    if (row === undefined || typeof row === "string") throw new Error("one row");
    expect(markOf(row.slice(0, 2))).toBe("⟨U+E0041 U+E0041⟩");
    expect(markOf(row)).toMatch(/^⟨U\+E0041 .* and 12 more⟩$/);
    expect(namesOf(row.slice(0, 1))).toBe("U+E0041 tag character");
    expect(namesOf(row)).toMatch(/, and 12 more$/);
    expect(visibleText("a\u202Eb")).toBe("a⟨U+202E⟩b");
  });

  it("are bounded in number and none is lost", () => {
    const parts = partsOf("a\u202E".repeat(10_000));
    expect(parts.length).toBeLessThan(500);
    expect(parts.at(-1)).toContain("a⟨U+202E⟩a⟨U+202E⟩");
  });
});

describe("scripts", () => {
  it("are named where one word mixes them", () => {
    expect(mixedScripts("pаypal")).toEqual(["Latin", "Cyrillic"]);
    expect(mixedScripts("/usr/bin/gοod")).toEqual(["Latin", "Greek"]);
    expect(mixedScripts("my-сервер")).toEqual(["Latin", "Cyrillic"]);
  });

  it("are not where they are written together", () => {
    for (const text of ["plain", "Мой сервер files", "日本語のテストABC", "한국어abc", "Größe 5µm", "עברית 1"]) {
      expect(mixedScripts(text), text).toEqual([]);
    }
  });
});

it("writes pictures of control characters as escapes", () => {
  expect(escapesOf("a␊b␍␉␛[0m␀␡␇ ␢")).toBe("a\\nb\\r\\t\\e[0m\\0\\x7f\\x07 ␢");
});
