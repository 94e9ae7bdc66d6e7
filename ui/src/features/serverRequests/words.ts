import type { AnsweredRequest, AnswerKind, ServerRequestView } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { parseJson } from "../../schema/parse";
import { pageOf } from "../../state/answers";

/** What kind of answer a server request wants, in plain words. */
export function serverRequestTitle(request: Pick<ServerRequestView, "method" | "schema" | "params">): string {
  if (request.schema !== null) return "The server needs your input";
  if (pageOf(request) !== null) return "The server asks you to open a page";
  switch (request.method) {
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

const ANSWERED: Readonly<Record<AnswerKind, string>> = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
  result: "answered",
  error: "rejected",
};

/** How a request was answered, in a few words. */
export function answeredWords({ answer, rule }: Pick<AnsweredRequest, "answer" | "rule">): string {
  if (rule === null) return ANSWERED[answer];
  const how =
    rule.saved_answer === null ? ANSWERED[answer] : `with the saved answer “${visibleText(rule.saved_answer)}”`;
  return `Answered by rule: ${how}${rule.after_seconds === 0 ? "" : ` after ${rule.after_seconds} s`}`;
}
