import type { ServerRequestView } from "../../ipc/bindings";
import { parseJson } from "../../schema/parse";

/** What kind of answer a server request wants, in plain words. */
export function serverRequestTitle({ method, schema }: Pick<ServerRequestView, "method" | "schema">): string {
  if (schema !== null) return "The server needs your input";
  switch (method) {
    case "sampling/createMessage":
      return "Sampling request";
    case "roots/list":
      return "Roots request";
    case "elicitation/create":
      return "The server needs your input";
    default:
      return "Unknown request from the server";
  }
}

/** The address a server request sends the user to, where it is one that a browser opens. */
export function addressOf({ method, params }: Pick<ServerRequestView, "method" | "params">): string | null {
  if (method !== "elicitation/create") return null;
  try {
    const { mode, url } = JSON.parse(params) as { mode?: unknown; url?: unknown };
    return mode === "url" && typeof url === "string" && /^https?:\/\//i.test(url) ? url : null;
  } catch {
    return null;
  }
}

/** Where a text stops being JSON, in plain words; `null` where it is JSON. */
export function jsonProblem(text: string): string | null {
  const parsed = parseJson(text);
  return parsed.ok || parsed.problem.tooDeep ? null : parsed.problem.message;
}
