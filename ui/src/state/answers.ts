import type { OpenServerRequest } from "../ipc/bindings";
import { isWebAddress } from "../lib/pages";
import { valueIn } from "../lib/valueIn";
import { createDocument } from "../schema/document";
import { memberOf, objectNode, type JsonNode, type Member } from "../schema/node";
import { compactJson, printNode } from "../schema/print";
import { FIRST_DRAFT, writeSampling } from "./sampling";
import type { Answer } from "./view";

/** Creates the first draft of a reply: a form with its defaults filled in, or the minimum for the method. */
export function newAnswer(request: OpenServerRequest): Answer {
  return {
    document: request.schema === null ? null : createDocument(request.schema, startingValues(request.schema)),
    raw: startingResult(request),
    sampling: request.method === "sampling/createMessage" ? FIRST_DRAFT : null,
  };
}

/**
 * Returns the initial values of a form. Every default is filled in, also of optional fields (2025-11-25, elicitation:
 * clients that support defaults pre-populate the form with them).
 */
function startingValues(schemaText: string): string {
  const { source, root } = createDocument(schemaText);
  const filled = new Map<string, JsonNode>();
  for (const { key, value: field } of members(memberOf(source.root ?? undefined, "properties"))) {
    const value = memberOf(root, key) ?? memberOf(field, "default");
    if (value) filled.set(key, value);
  }
  for (const { key, value } of members(root)) filled.set(key, value);
  return compactJson(printNode(objectNode(filled)));
}

/** Returns a result in the shape of the method, to be edited by hand. */
function startingResult({ method, schema }: OpenServerRequest): string {
  if (schema !== null) return "{}";
  const start: Record<string, unknown> = {
    "elicitation/create": { action: "accept" },
    "sampling/createMessage": JSON.parse(writeSampling(FIRST_DRAFT)),
    "roots/list": { roots: [] },
  };
  return JSON.stringify(start[method] ?? {}, null, 2);
}

function members(node: JsonNode | undefined): readonly Member[] {
  return node?.kind === "object" ? node.members : [];
}

/** Returns the address to which a server request sends the user, unchecked; `null` for other requests. */
export function pageOf({ method, params }: Pick<OpenServerRequest, "method" | "params">): string | null {
  if (method !== "elicitation/create") return null;
  const { mode, url } = (valueIn(params) ?? {}) as { mode?: unknown; url?: unknown };
  return mode === "url" && typeof url === "string" ? url : null;
}

/** Returns that address if a browser can open it; otherwise `null`. */
export function addressOf(request: Pick<OpenServerRequest, "method" | "params">): string | null {
  const page = pageOf(request);
  return page !== null && isWebAddress(page) ? page : null;
}
