import { useState } from "react";
import { removeField, toggleItem } from "../../schema/actions";
import { itemsOf, settled, type JsonNode } from "../../schema/node";
import type { ManyPlan } from "../../schema/plan";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { canonical, sameValue } from "../../schema/same";
import { SEARCHED_FROM } from "./ChoiceControl";
import { matches } from "./Combobox";
import { useForm, type ControlProps } from "./context";
import { absentWords } from "./fieldWords";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

const MOST_SHOWN = 100;

/** Checkboxes for several values of a fixed set. */
export function ManyControl({ plan, ...field }: ControlProps & { readonly plan: ManyPlan }) {
  const { apply, plain } = useForm();
  const { value, path, order, id } = field;
  const [query, setQuery] = useState("");
  const items = itemsOf(value && settled(value));
  const searched = plan.options.length > SEARCHED_FROM;
  const labels = plan.options.map((option) => option.label);
  const found = matches(labels, searched ? query : "");
  const removable = typeof path.steps.at(-1) === "string";
  const toggle = (option: JsonNode): void => {
    const [only, ...others] = items;
    const isLast = only !== undefined && others.length === 0 && sameValue(only, option);
    // A plain form has no other way to leave the field out again.
    if (isLast && plain && removable && !field.required) apply((doc) => removeField(doc, path.steps));
    else apply((doc) => toggleItem(doc, path.steps, option, order));
  };
  return (
    <div
      role="group"
      id={id}
      aria-labelledby={field.labelledBy}
      aria-describedby={field.describedBy}
      className="stack gap2"
    >
      <p className={styles.note}>
        {value === undefined
          ? absentWords(field.required, plain)
          : items.length === 0
            ? plain
              ? "None chosen"
              : "Sent as an empty array"
            : `${items.length} of ${plan.options.length} chosen`}
      </p>
      {searched && (
        <input
          type="text"
          className={inputs.input}
          value={query}
          placeholder={`Search ${plan.options.length} values`}
          aria-label={`Search the values of ${field.name}`}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <div className={searched ? styles.checksScroll : styles.checks}>
        {found.slice(0, MOST_SHOWN).map((index) => {
          const option = plan.options[index];
          if (!option) return null;
          return (
            <label
              key={index}
              className={inputs.checkbox}
              data-tip={option.description === undefined ? undefined : plainMarkdown(option.description)}
            >
              <input
                type="checkbox"
                checked={items.some((item) => sameValue(item, option.value))}
                onChange={() => toggle(option.value)}
              />
              <span data-quoted>{option.label}</span>
            </label>
          );
        })}
      </div>
      {found.length > MOST_SHOWN && (
        <p className={styles.note}>
          {MOST_SHOWN} of {found.length} shown; type to find the others.
        </p>
      )}
    </div>
  );
}

/** True if checkboxes can show the value: a list whose items are all options, each once. */
export function isTickable(plan: ManyPlan, value: ControlProps["value"]): boolean {
  const node = value && settled(value);
  if (node?.kind !== "array") return node === undefined;
  // The server decides the length of both.
  const options = new Set(plan.options.map((option) => canonical(option.value)));
  const values = itemsOf(node).map(canonical);
  return new Set(values).size === values.length && values.every((value) => options.has(value));
}
