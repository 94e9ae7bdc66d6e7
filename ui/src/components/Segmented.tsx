import { useId, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Segmented.module.css";

export interface SegmentedProps<T extends string> {
  /** Accessible name, if no other element labels the control. */
  label?: string;
  /** `null` selects none. */
  value: T | null;
  onChange: (value: T) => void;
  /** Labels by value. */
  items: Readonly<Partial<Record<NoInfer<T>, ReactNode>>>;
  /** Values that cannot be chosen. */
  disabled?: readonly string[];
  /** As tall as an input. */
  tall?: boolean;
  id?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  required?: boolean;
}

/** A choice of a few values, side by side. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactNode {
  const { label, value, onChange, items, disabled = [], tall = false, id, invalid = false, required = false } = props;
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
      {(Object.entries(items) as [T, ReactNode][]).map(([item, words]) => (
        <label key={item} className={styles.item}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            checked={item === value}
            disabled={disabled.includes(item)}
            onChange={() => onChange(item)}
          />
          <span className={styles.label}>{words}</span>
        </label>
      ))}
    </div>
  );
}
