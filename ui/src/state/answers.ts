import { parse, stringify } from "lossless-json";

import type { QuestionView } from "../ipc/bindings";
import { createDocument, toText } from "../schema";
import type { Answer } from "./view";

/** What an answer begins with: a form with its defaults filled in, or the least that fits the method. */
export function newAnswer(question: QuestionView): Answer {
  return {
    document: question.schema === null ? null : createDocument(question.schema, startingValues(question.schema)),
    raw: startingResult(question),
  };
}

/**
 * The values a form begins with. Every default is filled in, also of fields that are not required
 * (2025-11-25, elicitation: clients that support defaults pre-populate the form with them).
 */
function startingValues(schemaText: string): string {
  const begun = toText(createDocument(schemaText));
  try {
    const values = parse(begun);
    const schema = parse(schemaText);
    if (!isObject(values) || !isObject(schema) || !isObject(schema["properties"])) return begun;
    const filled: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(schema["properties"])) {
      if (Object.hasOwn(values, name)) filled[name] = values[name];
      else if (isObject(field) && Object.hasOwn(field, "default")) filled[name] = field["default"];
    }
    return stringify({ ...filled, ...values }) ?? begun;
  } catch {
    return begun;
  }
}

/** A result of the shape that the method asks for, to be changed by hand. */
function startingResult({ method, schema }: QuestionView): string {
  if (schema !== null) return "{}";
  const start: Record<string, unknown> = {
    "elicitation/create": { action: "accept" },
    "sampling/createMessage": {
      role: "assistant",
      content: { type: "text", text: "" },
      model: "written by hand",
      stopReason: "endTurn",
    },
    "roots/list": { roots: [] },
  };
  return JSON.stringify(start[method] ?? {}, null, 2);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
