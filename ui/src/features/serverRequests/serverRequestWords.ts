import type { AnsweredRequest, AnswerKind, OpenServerRequest } from "../../ipc/bindings";
import { own } from "../../lib/own";
import { visibleText } from "../../lib/visible";
import { parseJson } from "../../schema/parse";
import { pageOf } from "../../state/answers";

/** Title of a server request, by the kind of answer it wants. */
export function serverRequestTitle(request: Pick<OpenServerRequest, "method" | "schema" | "params">): string {
  if (request.schema !== null) return "The server needs your input";
  if (pageOf(request) !== null) return "The server asks you to open a page";
  return own(TITLES, request.method) ?? "Unknown request from the server";
}

const TITLES: Readonly<Record<string, string>> = {
  "sampling/createMessage": "Sampling request",
  "roots/list": "Roots request",
  "elicitation/create": "The server needs your input",
};

/** First JSON error of a text, in plain words; `null` if it is JSON. */
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

/** Reply to a request, in a few words. */
export function answeredWords({ answer, rule }: Pick<AnsweredRequest, "answer" | "rule">): string {
  if (rule === null) return ANSWERED[answer];
  const how =
    rule.saved_answer === null ? ANSWERED[answer] : `with the saved answer “${visibleText(rule.saved_answer)}”`;
  return `Answered by rule: ${how}${rule.after_seconds === 0 ? "" : ` after ${rule.after_seconds} s`}`;
}
