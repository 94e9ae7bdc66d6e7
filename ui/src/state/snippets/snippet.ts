/** Writes a request as a complete program with an official SDK. */
import type { Request, Snippet } from "./request";
import { pythonProgram } from "./python";
import type { Target } from "./target";
import { typeScriptProgram } from "./typeScript";

export type SnippetLanguage = "typescript" | "python";

export function snippetOf(language: SnippetLanguage, target: Target | null, request: Request): Snippet {
  if (!target) return { problem: "Only Sonde itself can reach its demo server over HTTP." };
  return language === "python" ? pythonProgram(target, request) : { program: typeScriptProgram(target, request) };
}
