import { describe, expect, it } from "vitest";

import { sourceLanguage, type SourceLanguage } from "./sourceLanguage";
import { tokensOfSource } from "./sourceTokens";
import { tokensOfRow } from "./tokens";

describe("sourceLanguage", () => {
  it("goes by the type, and by the ending where the type says nothing", () => {
    expect(sourceLanguage("text/x-python", null)).toBe("python");
    expect(sourceLanguage("Application/YAML; charset=utf-8", "file:///a.py")).toBe("yaml");
    expect(sourceLanguage("image/svg+xml", null)).toBe("xml");
    expect(sourceLanguage("text/plain", "file:///src/main.RS")).toBe("rust");
    expect(sourceLanguage("", "repo://sonde/build.sh?at=main")).toBe("shell");
    for (const [mime, uri] of [
      ["text/plain", "https://example.py"],
      ["text/plain", "file:///folder.py/readme"],
      ["text/x-unheard-of", "file:///a.py"],
      ["text/plain", "file:///a.constructor"],
      ["text/constructor", null],
      ["", null],
    ] as const) {
      expect(sourceLanguage(mime, uri), `${mime} ${uri ?? ""}`).toBeNull();
    }
  });
});

const SAMPLES: Readonly<Record<SourceLanguage, readonly [text: string, word: string, kind: string]>> = {
  c: ["/* a */ return 1;", "return", "word"],
  cpp: ['class A { };\n// "b"', '// "b"', "comment"],
  csharp: ["namespace A { }", "namespace", "word"],
  css: ["a { color: navy; }", "color", "key"],
  diff: ["-old\n+new", "+new", "string"],
  go: ["func main() {}", "func", "word"],
  html: ['<a href="x">b</a>', '"x"', "string"],
  java: ['String a = "b";', '"b"', "string"],
  javascript: ["const a = 1;", "const", "word"],
  python: ['def a():\n  """b\n  c"""', '  c"""', "string"],
  rust: ["fn main() {}", "fn", "word"],
  shell: ["# a\necho b", "# a", "comment"],
  sql: ["SELECT 1", "SELECT", "word"],
  toml: ["a = true", "true", "number"],
  typescript: ["interface A {}", "interface", "word"],
  xml: ["<a><!-- b --></a>", "<!-- b -->", "comment"],
  yaml: ["# a\nb: 1", "# a", "comment"],
};

describe("tokensOfSource", () => {
  it.each(Object.entries(SAMPLES))("tells the parts of %s apart and loses no character", (language, sample) => {
    const [text, word, kind] = sample;
    const lines = tokensOfSource(text, language as SourceLanguage);
    expect(lines?.map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(text);
    expect(lines?.flat()).toContainEqual({ text: word, kind });
  });

  it("leaves texts with long lines as they are, and takes line breaks of any system", () => {
    expect(tokensOfSource(`a = 1\n${"x".repeat(2_001)}`, "python")).toBeNull();
    const [first = []] = tokensOfSource("return\r\nreturn", "c") ?? [];
    expect(tokensOfRow(first, "return")).toEqual([{ text: "return", kind: "word" }]);
  });
});

describe("tokensOfRow", () => {
  const line = [
    { text: "ab", kind: "word" },
    { text: " cd", kind: "mark" },
  ] as const;

  it("ends where the row does", () => {
    expect(tokensOfRow(line, "ab c")).toEqual([line[0], { text: " c", kind: "mark" }]);
    expect(tokensOfRow(line, "ab cd")).toEqual(line);
    expect(tokensOfRow(line, "")).toEqual([]);
  });

  it("gives none where the row shows something else than the line", () => {
    expect(tokensOfRow(line, "ab␀cd")).toBeNull();
    expect(tokensOfRow(line, "ab cde")).toBeNull();
  });
});
