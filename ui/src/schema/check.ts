/** Checks of a scalar while it is typed, before the validator has seen it. */
import { isWholeNumber } from "./decimal";
import { numberObeys } from "./evaluate";
import { settled, type JsonNode } from "./node";
import type { NumberPlan } from "./plan";

/** Returns a note about the value of a number field; null if it is valid. */
export function numberNote(plan: NumberPlan, value: JsonNode): string | null {
  const node = settled(value);
  if (node.kind === "string") {
    return node.value === ""
      ? "Empty: this is sent as an empty string, not as a number."
      : `Not a number: this is sent as the string “${node.value}”.`;
  }
  if (node.kind !== "number") return null;
  if (plan.integer && !isWholeNumber(node.lexeme)) return "The schema requires an integer.";
  for (const { key, value: rule } of plan.rules.members) {
    if (!numberObeys(key, rule, plan.rules, node.lexeme))
      return `Outside what the schema allows: ${plan.hints.join(", ")}.`;
  }
  return null;
}

/** Returns true if a field of this kind can show the value; otherwise it is shown as JSON. */
export function suits(kind: string, value: JsonNode): boolean {
  const node = settled(value);
  switch (kind) {
    case "text":
      // A text box turns carriage returns into line feeds and drops null characters.
      return node.kind === "string" && !/[\r\0]/.test(node.value);
    case "number":
      return node.kind === "number" || (node.kind === "string" && !/[\r\n\0]/.test(node.value));
    case "boolean":
      return node.kind === "boolean";
    case "object":
      return node.kind === "object";
    case "list":
    case "many":
      return node.kind === "array";
    default:
      return true;
  }
}
