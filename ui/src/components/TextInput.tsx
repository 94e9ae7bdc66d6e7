import { useId, type ComponentProps, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Field.module.css";
import { Labelled, type Labels } from "./Labelled";

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
