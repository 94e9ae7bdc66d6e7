/** A request as a program on an official SDK that can be run as it is. */
import type { JsonNode } from "../../schema/node";
import { pythonProgram } from "./python";
import type { Target } from "./target";
import { typeScriptProgram } from "./typeScript";

export type SnippetLanguage = "typescript" | "python";

export interface Request {
  readonly method: string;
  readonly params: JsonNode | null;
}

/** A program that makes a request, or why there is none. */
export type Snippet = { readonly program: string } | { readonly problem: string };

export function snippetOf(language: SnippetLanguage, target: Target | null, request: Request): Snippet {
  if (!target) return { problem: "Only Sonde itself can reach its demo server over HTTP." };
  return language === "python" ? pythonProgram(target, request) : { program: typeScriptProgram(target, request) };
}
