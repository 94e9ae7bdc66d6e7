/** Server requests that are answered by rule, as the host does it. */
import type { AnswerInput, AnsweringRule, RequestRule, RequestRules, SavedInput, OpenServerRequest } from "../bindings";

const SAMPLING = "sampling/createMessage";

export interface Ruled {
  readonly answer: AnswerInput;
  readonly rule: AnsweringRule;
  /** Kind of requests that the rule applies to, in words. */
  readonly requests: string;
  /** Words for the reply. */
  readonly how: string;
}

/**
 * Applies the rules to a request. A returned text is the reason to ask the user anyway; `null` means that no rule
 * applies.
 */
export function ruled(
  rules: RequestRules,
  request: OpenServerRequest,
  saved: readonly SavedInput[],
): Ruled | string | null {
  const rule = request.undeclared ? null : ruleFor(rules, request);
  if (rule === null || rule.action.type === "ask") return null;
  const { action, delay_seconds: after_seconds } = rule;
  const requests = request.method === SAMPLING ? "sampling" : request.schema === null ? "pages" : "forms";
  const replied = (answer: AnswerInput, how: string, saved_answer: string | null = null): Ruled => ({
    answer,
    rule: { after_seconds, saved_answer },
    requests,
    how,
  });
  if (action.type !== "saved") {
    if (request.method !== SAMPLING) return replied(action, action.type === "decline" ? "declined" : "cancelled");
    return replied({ type: "error", code: -1, message: "User rejected sampling request" }, "rejected");
  }
  const known = saved.find(({ id, server }) => id === action.input && server === request.server);
  if (!known) return "its saved answer is no longer there.";
  const text = known.arguments;
  if (request.schema !== null) {
    if (known.schema_digest !== request.schema_digest) {
      return "its saved answer was given to another form. Save it again for this one.";
    }
    const { required = [] } = JSON.parse(request.schema) as { required?: string[] };
    const values = JSON.parse(text) as Record<string, unknown>;
    if (required.some((name) => !(name in values))) {
      return "its saved answer does not match the schema of the request.";
    }
  }
  const answer: AnswerInput =
    request.method === SAMPLING ? { type: "raw", result: text } : { type: "accept", content: text };
  return replied(answer, `answered with the saved answer “${known.name}”`, known.name);
}

function ruleFor(rules: RequestRules, { method, schema }: OpenServerRequest): RequestRule | null {
  if (method === SAMPLING) return rules.sampling;
  if (method !== "elicitation/create") return null;
  return schema === null ? rules.page : rules.form;
}
