/** Server requests that are answered by rule. No rule of a scenario has a saved answer that is still there. */
import type { AnswerInput, RequestRule, RequestRules, OpenServerRequest } from "../bindings";

const SAMPLING = "sampling/createMessage";

interface Ruled {
  readonly answer: AnswerInput;
  readonly seconds: number;
  /** Kind of requests that the rule applies to, in words. */
  readonly requests: string;
  /** Words for the reply. */
  readonly how: string;
}

/**
 * Applies the rules to a request. A returned text is the reason to ask the user anyway; `null` means that no rule
 * applies.
 */
export function ruled(rules: RequestRules, request: OpenServerRequest): Ruled | string | null {
  const rule = request.undeclared ? null : ruleFor(rules, request);
  if (rule === null || rule.action.type === "ask") return null;
  const { action, delay_seconds: seconds } = rule;
  if (action.type === "saved") return "its saved answer is no longer there.";
  if (request.method === SAMPLING) {
    const answer: AnswerInput = { type: "error", code: -1, message: "User rejected sampling request" };
    return { answer, seconds, requests: "sampling", how: "rejected" };
  }
  const requests = request.schema === null ? "pages" : "forms";
  return { answer: action, seconds, requests, how: action.type === "decline" ? "declined" : "cancelled" };
}

function ruleFor(rules: RequestRules, { method, schema }: OpenServerRequest): RequestRule | null {
  if (method === SAMPLING) return rules.sampling;
  if (method !== "elicitation/create") return null;
  return schema === null ? rules.page : rules.form;
}
