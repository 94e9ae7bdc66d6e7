import { useId, type ReactNode } from "react";

import styles from "./Field.module.css";

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  items: readonly { value: T; label: string }[];
  hint?: ReactNode;
  disabled?: boolean | undefined;
  hideLabel?: boolean;
}

/** One of several, in a list that opens. */
export function Select<T extends string>({
  label,
  value,
  onChange,
  items,
  hint,
  disabled,
  hideLabel = false,
}: SelectProps<T>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? "visuallyHidden" : styles.label}>
        {label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
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
      {hint !== undefined && (
        <p id={`${id}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
