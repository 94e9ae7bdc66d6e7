import type { SyntaxProblem } from "../../schema/document";
import { nodeIn, parseJson } from "../../schema/parse";
import { own } from "../../lib/own";

/** Result of checking the `_meta` of a run. */
export interface MetaCheck {
  /** Syntax error in text that is not JSON and cannot be sent. */
  readonly problem: SyntaxProblem | null;
  /** Oddities; the text is sent anyway. */
  readonly warnings: readonly string[];
}

const NOTHING: MetaCheck = { problem: null, warnings: [] };

/** Keys with a meaning in the protocol, or filled in by Sonde: typed values replace them. */
const FILLED: Readonly<Record<string, string>> = {
  progressToken: "“progressToken” replaces that of Sonde: progress of this run cannot be shown.",
  "io.modelcontextprotocol/protocolVersion": "replaces the protocol version that Sonde names.",
  "io.modelcontextprotocol/clientInfo": "replaces what Sonde says about itself.",
  "io.modelcontextprotocol/clientCapabilities": "replaces the capabilities that Sonde declares.",
  "io.modelcontextprotocol/logLevel": "replaces the log level that is set in the console.",
};

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Matches labels that begin with a letter and end with a letter or digit, with hyphens inside. */
const PREFIX = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;

/** Checks the typed text. Empty text means no `_meta`. */
export function checkMeta(text: string): MetaCheck {
  if (text.trim() === "") return NOTHING;
  const read = parseJson(text);
  if (!read.ok) return read.problem.tooDeep ? NOTHING : { problem: read.problem, warnings: [] };
  if (read.node.kind !== "object") {
    return {
      problem: null,
      warnings: ["_meta has to be an object. It is sent as typed, and Sonde can add nothing to it."],
    };
  }
  return {
    problem: null,
    warnings: read.node.members.flatMap(({ key, value }) => {
      const filled = own(FILLED, key);
      if (filled !== undefined) return [filled.startsWith("“") ? filled : `“${key}” ${filled}`];
      if (key === "traceparent" && !(value.kind === "string" && TRACEPARENT.test(value.value))) {
        return ["“traceparent” is not in the W3C format 00-<trace id>-<parent id>-<flags>."];
      }
      return keyProblem(key);
    }),
  };
}

/** Checks a key against the grammar of `_meta` keys (base protocol, `_meta`). */
function keyProblem(key: string): string[] {
  const slash = key.indexOf("/");
  const prefix = slash < 0 ? null : key.slice(0, slash);
  if ((prefix !== null && !PREFIX.test(prefix)) || !NAME.test(key.slice(slash + 1))) {
    return [`“${key}” does not follow the grammar of _meta keys.`];
  }
  const second = prefix?.split(".")[1];
  return second === "modelcontextprotocol" || second === "mcp" ? [`“${key}” has a prefix that MCP reserves.`] : [];
}

/** Returns a `traceparent` of a new, sampled trace. */
export function newTraceparent(): string {
  const hex = (bytes: number): string => {
    const random = crypto.getRandomValues(new Uint8Array(bytes));
    // An id of zeros is invalid.
    random[0] = (random[0] ?? 0) | 1;
    return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  return `00-${hex(16)}-${hex(8)}-01`;
}

/** Adds or replaces the `traceparent` in the text. `null` if the text is not an object. */
export function withTraceparent(text: string): string | null {
  const entry = `"traceparent": "${newTraceparent()}"`;
  if (text.trim() === "") return `{\n  ${entry}\n}`;
  const node = nodeIn(text);
  if (node?.kind !== "object") return null;
  const before = /"traceparent"\s*:\s*"[^"\\]*"/;
  if (before.test(text)) return text.replace(before, () => entry);
  const open = text.indexOf("{");
  const rest = text.slice(open + 1);
  return `${text.slice(0, open)}{\n  ${entry}${node.members.length === 0 ? "\n" : ","}${rest}`;
}

/** Returns the further `params` of a run with this `_meta`; `null` without one. */
export function metaParams(text: string): string | null {
  return text.trim() === "" ? null : `{"_meta":${text}}`;
}

/** Returns the reason that a run cannot be sent with this `_meta`; `null` if it can. */
export function metaBlocks(text: string): string | null {
  return checkMeta(text).problem ? "The metadata is not valid JSON, so it cannot be sent." : null;
}
