/** Languages of source code, with subtypes of their media types (without `x-`) and file extensions. */
const LANGUAGES = {
  c: ["c csrc chdr", "c h"],
  cpp: ["c++ c++src c++hdr", "cc cpp hpp"],
  csharp: ["csharp", "cs"],
  css: ["css", "css"],
  diff: ["diff patch", "diff patch"],
  go: ["go", "go"],
  html: ["html xhtml+xml", "html"],
  java: ["java java-source", "java"],
  javascript: ["javascript ecmascript", "js jsx mjs cjs"],
  python: ["python", "py"],
  rust: ["rust", "rs"],
  shell: ["sh shellscript", "sh bash"],
  sql: ["sql", "sql"],
  toml: ["toml", "toml"],
  typescript: ["typescript", "ts tsx"],
  xml: ["xml", "xml"],
  yaml: ["yaml", "yaml yml"],
} as const;

/** A language of source code that is coloured. */
export type SourceLanguage = keyof typeof LANGUAGES;

function languagesBy(column: 0 | 1): ReadonlyMap<string, SourceLanguage> {
  const languages = Object.entries(LANGUAGES) as [SourceLanguage, (typeof LANGUAGES)[SourceLanguage]][];
  return new Map(languages.flatMap(([language, names]) => names[column].split(" ").map((name) => [name, language])));
}

const BY_TYPE = languagesBy(0);
const BY_ENDING = languagesBy(1);

/**
 * Returns the language of a text by its media type, or by the extension of its URI if the type only says that it is
 * text.
 */
export function sourceLanguage(mime: string, uri: string | null): SourceLanguage | null {
  const [essence = ""] = mime.toLowerCase().split(";");
  const type = essence.trim();
  if (type === "" || type === "text/plain") {
    const path = /^[a-z][\w+.-]*:(?:\/\/[^/?#]*)?([^?#]*)/i.exec(uri ?? "")?.[1] ?? "";
    const ending = /\.(\w+)$/.exec(path)?.[1] ?? "";
    return BY_ENDING.get(ending.toLowerCase()) ?? null;
  }
  const subtype = /^(?:text|application)\/(?:x-)?(.+)$/.exec(type)?.[1] ?? "";
  return BY_TYPE.get(subtype) ?? (type.endsWith("+xml") ? "xml" : null);
}
