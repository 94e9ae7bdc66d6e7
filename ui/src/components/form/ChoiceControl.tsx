import { removeField, setValue } from "../../schema/actions";
import { settled, type JsonNode } from "../../schema/node";
import type { ChoicePlan, ConstPlan } from "../../schema/plan";
import { printShort } from "../../schema/print";
import { sameValue } from "../../schema/same";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { cx } from "../../lib/cx";
import { Segmented } from "../Segmented";
import { Combobox } from "./Combobox";
import { useForm, type ControlProps } from "./context";
import { absentWords, optionLabel } from "./fieldWords";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

/** Number of options from which a menu is searched instead of scrolled. */
export const SEARCHED_FROM = 20;

const NOT_SENT = "none";
const OTHER = "other";

/** Control for one value of a fixed set. */
export function ChoiceControl({ plan, ...field }: ControlProps & { readonly plan: ChoicePlan }) {
  const { apply, plain } = useForm();
  const { value, path, order, id } = field;
  const at = value === undefined ? -1 : plan.options.findIndex((option) => sameValue(option.value, value));
  const removable = typeof path.steps.at(-1) === "string";
  const pick = (index: number): void => {
    const option = plan.options[index];
    if (option) apply((doc) => setValue(doc, path.steps, option.value, order));
  };
  const unset = (): void => apply((doc) => removeField(doc, path.steps));
  const other = value !== undefined && at < 0 ? value : undefined;
  const foreign = other && (plain ? "As prepared" : `${printShort(other)} (not in the list)`);
  const chosen = plan.options[at];
  const labels = plan.options.map((option) => optionLabel(option, plain));
  const absent = absentWords(field.required, plain);
  const offset = removable ? 1 : 0;

  return (
    <>
      {plan.options.length > SEARCHED_FROM ? (
        <Combobox
          id={id}
          labels={removable ? [absent, ...labels] : labels}
          hasUnset={removable}
          selected={value === undefined ? offset - 1 : at < 0 ? -1 : at + offset}
          shown={foreign ?? (chosen ? optionLabel(chosen, plain) : "")}
          placeholder={absent}
          labelledBy={field.labelledBy}
          describedBy={field.describedBy}
          invalid={field.invalid}
          onPick={(index) => (index < offset ? unset() : pick(index - offset))}
        />
      ) : (
        <select
          id={id}
          className={cx(inputs.input, styles.select, value === undefined && "muted", field.invalid && inputs.invalid)}
          value={value === undefined ? NOT_SENT : at < 0 ? OTHER : String(at)}
          aria-labelledby={field.labelledBy}
          aria-describedby={field.describedBy}
          aria-invalid={field.invalid || undefined}
          aria-required={field.required || undefined}
          onChange={(event) => {
            if (event.target.value === NOT_SENT) unset();
            else pick(Number(event.target.value));
          }}
        >
          {(removable || value === undefined) && <option value={NOT_SENT}>{absent}</option>}
          {foreign !== undefined && <option value={OTHER}>{foreign}</option>}
          {plan.options.map((_, index) => (
            <option key={index} value={String(index)} data-quoted>
              {labels[index]}
            </option>
          ))}
        </select>
      )}
      {chosen?.description !== undefined && (
        <p className={styles.note} data-quoted>
          {plainMarkdown(chosen.description)}
        </p>
      )}
    </>
  );
}

/** Control for yes, no, and left out. */
export function BooleanControl(field: ControlProps) {
  const { apply, plain } = useForm();
  const { value, path, order, id } = field;
  const node = value && settled(value);
  const state = node?.kind === "boolean" ? node.value : null;
  const removable = typeof path.steps.at(-1) === "string";
  const optional = removable && !(plain && field.required);
  const choices = { ...(optional && { [NOT_SENT]: absentWords(false, plain) }), true: "Yes", false: "No" };
  return (
    <Segmented
      tall
      id={id}
      labelledBy={field.labelledBy}
      describedBy={field.describedBy}
      invalid={field.invalid}
      required={field.required}
      value={state === null ? (optional ? NOT_SENT : null) : String(state)}
      items={choices}
      onChange={(choice) =>
        apply((doc) =>
          choice === NOT_SENT
            ? removeField(doc, path.steps)
            : setValue(doc, path.steps, { kind: "boolean", value: choice === "true" }, order),
        )
      }
    />
  );
}

/** Control for the only value that the schema allows: sent or left out. */
export function ConstControl({ plan, ...field }: ControlProps & { readonly plan: ConstPlan }) {
  const { apply, plain } = useForm();
  const { value, path, order, id } = field;
  const fits = value !== undefined && sameValue(value, plan.value);
  const removable = typeof path.steps.at(-1) === "string";
  const text = printShort(plan.value);
  return (
    <label className={inputs.checkbox}>
      <input
        id={id}
        type="checkbox"
        checked={fits}
        disabled={fits && !removable}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid || undefined}
        onChange={() =>
          apply((doc) => (fits ? removeField(doc, path.steps) : setValue(doc, path.steps, plan.value, order)))
        }
      />
      <span>
        {plain ? (plan.value.kind === "string" ? plan.value.value : "Yes") : sentence(value, fits)}
        {!plain && <code> {text}</code>}
        {!plain && value !== undefined && !fits && (
          <>
            {" "}
            instead of <code>{printShort(value)}</code>
          </>
        )}
        <span className="visuallyHidden"> as {field.name}</span>
      </span>
    </label>
  );
}

function sentence(value: JsonNode | undefined, fits: boolean): string {
  if (fits) return "Always";
  return value === undefined ? "Left out; send" : "Send";
}
