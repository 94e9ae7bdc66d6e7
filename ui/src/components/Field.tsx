import { useId, type ComponentProps, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Field.module.css";
import { Prose } from "./Prose";

interface Labels {
  readonly label: string;
  /** Shows the label to assistive technology only. */
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface LabelledProps extends Labels {
  /** The control's id. */
  readonly id: string;
  readonly className?: string | undefined;
  /** Renders the control, with the id of its description. */
  readonly children: (describedBy: string | undefined) => ReactNode;
}

/** A control with its label above, and its hint or error below. */
function Labelled({ id, label, hideLabel = false, hint, error, className, children }: LabelledProps): ReactNode {
  const described = error !== undefined || hint !== undefined;
  return (
    <div className={cx("stack gap4 shrink", className)}>
      <label id={`${id}-label`} htmlFor={id} className={hideLabel ? "visuallyHidden" : "medium"}>
        {label}
      </label>
      {children(described ? `${id}-note` : undefined)}
      {described && (
        <p id={`${id}-note`} className={error !== undefined ? "bad small" : "note"}>
          {error === undefined ? hint : <Prose text={error} />}
        </p>
      )}
    </div>
  );
}

export interface TextInputProps extends Labels, Omit<ComponentProps<"input">, "onChange" | "title" | "value"> {
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  /** Content beside the field, on its line. */
  after?: ReactNode;
}

export function TextInput(props: TextInputProps) {
  const { label, hideLabel, value, onChange, mono = false, hint, error, id, className, after, ...rest } = props;
  const own = useId();
  const inputId = id ?? own;
  return (
    <Labelled id={inputId} className={className} {...{ label, hideLabel, hint, error }}>
      {(describedBy) => {
        const input = (
          <input
            id={inputId}
            className={cx(styles.input, mono && "monoFont monoSize", error !== undefined && styles.invalid)}
            value={value}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy}
            onChange={(event) => onChange(event.target.value)}
            {...rest}
          />
        );
        if (after === undefined) return input;
        return (
          <div className="grid gap8 growAuto alignCenter">
            {input}
            {after}
          </div>
        );
      }}
    </Labelled>
  );
}

export interface TextAreaProps extends Labels, Omit<ComponentProps<"textarea">, "onChange" | "title" | "value"> {
  value: string;
  onChange: (value: string) => void;
  /** Shows the text as dots. */
  masked?: boolean;
  /** Expects prose instead of code. */
  prose?: boolean;
}

/** A field for several lines of code or text. */
export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, value, onChange, hint, error, masked = false, prose = false, id, ...rest } = props;
  const own = useId();
  const inputId = id ?? own;
  return (
    <Labelled id={inputId} {...{ label, hideLabel, hint, error }}>
      {(describedBy) => (
        <textarea
          id={inputId}
          className={cx(
            styles.input,
            styles.area,
            !prose && "monoFont monoSize",
            masked && value !== "" && styles.masked,
            error !== undefined && styles.invalid,
          )}
          value={value}
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
      )}
    </Labelled>
  );
}

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

export interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, disabled }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
