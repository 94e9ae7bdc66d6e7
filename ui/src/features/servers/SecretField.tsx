import { Button } from "../../components/Button";
import { TextArea, TextInput } from "../../components/Field";
import type { SecretInput } from "../../ipc/bindings";
import { emptied } from "./authDraft";
import styles from "./SignInFields.module.css";

export interface SecretFieldProps<T extends SecretInput | null> {
  label: string;
  value: T;
  /** The saved configuration has a secret, which is never shown; typing replaces it. */
  kept: boolean;
  hint?: string;
  error?: string | undefined;
  /** The secret has several lines. */
  lines?: boolean;
  placeholder?: string;
  onChange: (value: SecretInput) => void;
  /** Removes an optional secret. */
  onClear?: () => void;
}

/** A secret that is typed once and never shown again. */
export function SecretField<T extends SecretInput | null>({
  label,
  value,
  kept,
  lines = false,
  placeholder,
  onChange,
  onClear,
  ...rest
}: SecretFieldProps<T>) {
  const keeps = value?.type === "keep";
  const field = {
    ...rest,
    label,
    value: value?.type === "set" ? value.value : "",
    placeholder: keeps ? "stored; type to replace it" : placeholder,
    autoComplete: "new-password",
    onChange: (typed: string) => {
      const next: SecretInput | null =
        typed === "" ? emptied(kept, onClear !== undefined) : { type: "set", value: typed };
      if (next) onChange(next);
      else onClear?.();
    },
  };
  if (lines) return <TextArea {...field} masked rows={4} />;
  if (onClear === undefined || !kept) return <TextInput {...field} mono type="password" />;
  return (
    <div className={styles.removable}>
      <TextInput {...field} mono type="password" />
      <Button small onClick={() => (value === null ? onChange({ type: "keep" }) : onClear())}>
        {value === null ? "Keep the stored value" : "Remove"}
        <span className="visuallyHidden"> ({label})</span>
      </Button>
    </div>
  );
}
