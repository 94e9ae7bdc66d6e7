import { useId } from "react";

import styles from "./Field.module.css";
import { Labelled, type Labels } from "./Labelled";

export interface SelectProps<T extends string> extends Labels {
  value: T;
  onChange: (value: T) => void;
  items: readonly { value: T; label: string }[];
  disabled?: boolean | undefined;
}

/** A choice of one value in a drop-down list. */
export function Select<T extends string>({ value, onChange, items, disabled, ...labels }: SelectProps<T>) {
  const id = useId();
  return (
    <Labelled id={id} {...labels}>
      {(describedBy) => (
        <select
          id={id}
          className={styles.input}
          value={value}
          disabled={disabled}
          aria-invalid={labels.error !== undefined || undefined}
          aria-describedby={describedBy}
          onChange={(event) => {
            const chosen = items.find((item) => item.value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        >
          {items.map((item) => (
            <option key={item.value} value={item.value}>
              {item.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
