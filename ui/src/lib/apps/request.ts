/** Requests of an app to its host (MCP Apps 2026-01-26, Requests). */
import { cut } from "../cut";
import { isWebAddress } from "../pages";
import { isPlain } from "./message";

export type DisplayMode = "inline" | "fullscreen";

/** A well-formed request. */
export type AppRequest =
  | { readonly type: "tool"; readonly name: string; readonly arguments: string }
  | { readonly type: "resource"; readonly uri: string }
  | { readonly type: "link"; readonly url: string }
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "context"; readonly text: string }
  | { readonly type: "display"; readonly mode: string };

/** Error response to a request, with its JSON-RPC code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Error code for requests that the user or a rule refuses, as in the examples of the specification. */
export const REFUSED = -32_000;
const INVALID = -32_602;
const UNKNOWN = -32_601;

/** Limit of characters shown of a text that an app wants to pass to a model. */
const SHOWN_CHARACTERS = 4_000;

/** Reads a request. Throws a {@link Refusal} if the request is unknown or malformed. */
export function readRequest(method: string, params: unknown): AppRequest {
  const given = isPlain(params) ? params : {};
  const text = (name: string): string => {
    const value = given[name];
    if (typeof value !== "string" || value === "") throw new Refusal(INVALID, `"${name}" must be a string`);
    return value;
  };
  switch (method) {
    case "tools/call": {
      const args = given["arguments"] ?? {};
      if (!isPlain(args)) throw new Refusal(INVALID, '"arguments" must be an object');
      return { type: "tool", name: text("name"), arguments: JSON.stringify(args) };
    }
    case "resources/read":
      return { type: "resource", uri: text("uri") };
    case "ui/open-link": {
      const url = text("url");
      if (!isWebAddress(url)) throw new Refusal(REFUSED, "Invalid URL: only http and https are opened");
      return { type: "link", url };
    }
    case "ui/message":
      if (given["role"] !== "user" || given["content"] === undefined) {
        throw new Refusal(REFUSED, "Invalid message format");
      }
      return { type: "message", text: contentText(given["content"]) };
    case "ui/update-model-context":
      return { type: "context", text: contentText(given) };
    case "ui/request-display-mode":
      return { type: "display", mode: text("mode") };
    default:
      throw new Refusal(UNKNOWN, `Method not found: ${method.slice(0, 200)}`);
  }
}

/** Returns text blocks as their text and anything else as JSON, cut to the limit. */
function contentText(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    const text = isPlain(block) && block["type"] === "text" ? block["text"] : undefined;
    return typeof text === "string" ? text : JSON.stringify(block, null, 2);
  });
  return cut(texts.join("\n"), SHOWN_CHARACTERS);
}
