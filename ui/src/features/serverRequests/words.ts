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

/** Where a text stops being JSON, in plain words; `null` where it is JSON. */
export function jsonProblem(text: string): string | null {
  const parsed = parseJson(text);
  return parsed.ok || parsed.problem.tooDeep ? null : parsed.problem.message;
}
