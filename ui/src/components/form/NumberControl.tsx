import { setNumber } from "../../schema/actions";
import { numberNote } from "../../schema/check";
import { isWholeNumber } from "../../schema/decimal";
import { settled } from "../../schema/node";
import type { NumberPlan } from "../../schema/plan";
import { cx } from "../../lib/cx";
import { useForm, type ControlProps } from "./context";
import { placeholder } from "./TextControl";
import { plainProblem } from "./fieldWords";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

/** A number as text: a number input would round or reformat it, and hide invalid text. */
export function NumberControl({ plan, ...field }: ControlProps & { readonly plan: NumberPlan }) {
  const { apply, plain } = useForm();
  const { value, path, order, id } = field;
  const node = value && settled(value);
  const text = node?.kind === "number" ? node.lexeme : node?.kind === "string" ? node.value : "";
  const isNumber = node?.kind === "number" && (!plan.integer || isWholeNumber(node.lexeme));
  // The validator's message is preferred.
  const note = value === undefined || field.invalid ? null : numberNote(plan, value);
  const described = [field.describedBy, note === null ? undefined : `${id}-note`].filter(Boolean).join(" ");
  return (
    <>
      <input
        id={id}
        type="text"
        inputMode={plan.integer ? "numeric" : "decimal"}
        className={cx(inputs.input, styles.number, field.invalid && inputs.invalid)}
        value={text}
        placeholder={placeholder(field, plain)}
        spellCheck={false}
        autoComplete="off"
        aria-labelledby={field.labelledBy}
        aria-describedby={described === "" ? undefined : described}
        aria-invalid={field.invalid || undefined}
        aria-required={field.required || undefined}
        onChange={(event) => {
          const typed = event.target.value;
          apply((doc) => setNumber(doc, path.steps, typed, order));
        }}
      />
      {note !== null && (
        <p id={`${id}-note`} className={styles.note}>
          {plain ? plainProblem({ keyword: isNumber ? "minimum" : "type" }, plan) : note}
        </p>
      )}
    </>
  );
}
