/** Texts of the fields: in terms of the schema, and in plain words. */
import type { FieldPlan, Option } from "../../schema/plan";
import type { Problem } from "../../schema/problems";
import { inWords } from "../../lib/inWords";
import { formatHelp } from "./formats";

/** Returns the text that stands in for a missing value. */
export function absentWords(required: boolean, plain: boolean): string {
  if (plain) return required ? "Please choose" : "Not set";
  return required ? "Required" : "Left out";
}

/** Returns the label of a menu value; "null" means nothing to people who do not program. */
export function optionLabel({ label, value }: Option, plain: boolean): string {
  if (!plain) return label;
  if (value.kind === "null" || (value.kind === "string" && value.value === "")) return "None";
  if (value.kind === "boolean") return value.value ? "Yes" : "No";
  return value.kind === "string" && value.value === label && PLAIN_WORD.test(label) ? inWords(label) : label;
}

/** Matches program identifiers, which are not units or formats. */
const PLAIN_WORD = /^[a-z]{4,}([ _-][a-z]+)*$/;

/** Returns the limits that everybody understands. A mark already shows that a value is required. */
export function plainHints(hints: readonly string[]): readonly string[] {
  return hints.filter((hint) => !/^matches |-encoded$|\/|^at least 1 character$/.test(hint));
}

/** Words a validator's finding for people who do not know schemas. */
export function plainProblem({ keyword }: Pick<Problem, "keyword">, plan?: FieldPlan): string {
  const hints = plan ? plainHints(plan.hints) : [];
  switch (keyword) {
    case "required":
    case "minLength":
      if (keyword === "required" || hints.length === 0) {
        return "Please fill this in.";
      }
      break;
    case "type":
      if (plan?.kind === "number") return plan.integer ? "Please enter a whole number." : "Please enter a number.";
      break;
    case "enum":
    case "const":
      return "Please choose one of the values.";
    case "format": {
      const example = plan?.kind === "text" ? formatHelp(plan.format)?.example : undefined;
      if (example !== undefined) return `Please write it like this: ${example}`;
    }
  }
  return hints.length > 0 ? `Allowed: ${hints.join(", ")}.` : "This does not fit here.";
}
