/** A language of source code that is shown with colours. */
export type SourceLanguage =
  | "c"
  | "cpp"
  | "csharp"
  | "css"
  | "diff"
  | "go"
  | "html"
  | "java"
  | "javascript"
  | "python"
  | "rust"
  | "shell"
  | "sql"
  | "toml"
  | "typescript"
  | "xml"
  | "yaml";

/** By the subtype of a MIME type, without `x-`. */
const BY_TYPE: ReadonlyMap<string, SourceLanguage> = new Map([
  ["c", "c"],
  ["csrc", "c"],
  ["chdr", "c"],
  ["c++", "cpp"],
  ["c++src", "cpp"],
  ["c++hdr", "cpp"],
  ["csharp", "csharp"],
  ["css", "css"],
  ["diff", "diff"],
  ["patch", "diff"],
  ["go", "go"],
  ["html", "html"],
  ["xhtml+xml", "html"],
  ["java", "java"],
  ["java-source", "java"],
  ["javascript", "javascript"],
  ["ecmascript", "javascript"],
  ["python", "python"],
  ["rust", "rust"],
  ["sh", "shell"],
  ["shellscript", "shell"],
  ["sql", "sql"],
  ["toml", "toml"],
  ["typescript", "typescript"],
  ["xml", "xml"],
  ["yaml", "yaml"],
]);

/** By the ending of a file's name. */
const BY_ENDING: ReadonlyMap<string, SourceLanguage> = new Map([
  ["c", "c"],
  ["h", "c"],
  ["cc", "cpp"],
  ["cpp", "cpp"],
  ["hpp", "cpp"],
  ["cs", "csharp"],
  ["css", "css"],
  ["diff", "diff"],
  ["patch", "diff"],
  ["go", "go"],
  ["html", "html"],
  ["java", "java"],
  ["js", "javascript"],
  ["jsx", "javascript"],
  ["mjs", "javascript"],
  ["cjs", "javascript"],
  ["py", "python"],
  ["rs", "rust"],
  ["sh", "shell"],
  ["bash", "shell"],
  ["sql", "sql"],
  ["toml", "toml"],
  ["ts", "typescript"],
  ["tsx", "typescript"],
  ["xml", "xml"],
  ["yaml", "yaml"],
  ["yml", "yaml"],
]);

/** The language of a text by its MIME type, or by the ending of its URI where the type says no more than that it is text. */
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
