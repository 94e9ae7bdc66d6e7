import { useId } from "react";

import styles from "./Segmented.module.css";

export interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  items: readonly { value: T; label: string; disabled?: boolean }[];
}

/** A choice of a few, side by side. */
export function Segmented<T extends string>({ label, value, onChange, items }: SegmentedProps<T>) {
  const name = useId();
  return (
    <div className={styles.group} role="radiogroup" aria-label={label}>
      {items.map((item) => (
        <label key={item.value} className={styles.item}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            checked={item.value === value}
            disabled={item.disabled}
            onChange={() => onChange(item.value)}
          />
          <span className={styles.label}>{item.label}</span>
        </label>
      ))}
    </div>
  );
}
