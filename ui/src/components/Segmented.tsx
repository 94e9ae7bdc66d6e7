import { useId, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Segmented.module.css";

export interface SegmentedProps<T extends string> {
  /** Accessible name, where no other element is the label. */
  label?: string;
  /** `null`: none of them. */
  value: T | null;
  onChange: (value: T) => void;
  items: readonly { value: T; label: ReactNode; disabled?: boolean }[];
  /** As high as an input. */
  tall?: boolean;
  id?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  required?: boolean;
}

/** A choice of a few, side by side. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactNode {
  const { label, value, onChange, items, tall = false, id, invalid = false, required = false } = props;
  const name = useId();
  return (
    <div
      id={id}
      className={cx(styles.group, tall && styles.tall, invalid && styles.invalid)}
      role="radiogroup"
      aria-label={label}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      aria-invalid={invalid || undefined}
      aria-required={required || undefined}
    >
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
