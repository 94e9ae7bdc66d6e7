import { useId, type ComponentProps, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Field.module.css";

export interface TextInputProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  label: string;
  /** The label is there for assistive technology only. */
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
}

export function TextInput({
  label,
  hideLabel = false,
  value,
  onChange,
  mono = false,
  hint,
  error,
  id,
  className,
  ...rest
}: TextInputProps) {
  const own = useId();
  const inputId = id ?? own;
  const described = error !== undefined || hint !== undefined;
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={inputId} className={hideLabel ? "visuallyHidden" : styles.label}>
        {label}
      </label>
      <input
        id={inputId}
        className={cx(styles.input, mono && styles.mono, error !== undefined && styles.invalid)}
        value={value}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={described ? `${inputId}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {described && (
        <p id={`${inputId}-note`} className={error !== undefined ? styles.error : styles.hint}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export interface TextAreaProps extends Omit<ComponentProps<"textarea">, "onChange" | "value"> {
  label: string;
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
  /** What is typed is shown as dots. */
  masked?: boolean;
}

/** A field for several lines of code or text. */
export function TextArea({
  label,
  hideLabel = false,
  value,
  onChange,
  hint,
  error,
  masked = false,
  id,
  ...rest
}: TextAreaProps) {
  const own = useId();
  const inputId = id ?? own;
  const described = error !== undefined || hint !== undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={inputId} className={hideLabel ? "visuallyHidden" : styles.label}>
        {label}
      </label>
      <textarea
        id={inputId}
        className={cx(
          styles.input,
          styles.area,
          styles.mono,
          masked && value !== "" && styles.masked,
          error !== undefined && styles.invalid,
        )}
        value={value}
        spellCheck={false}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={described ? `${inputId}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {described && (
        <p id={`${inputId}-note`} className={error !== undefined ? styles.error : styles.hint}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
