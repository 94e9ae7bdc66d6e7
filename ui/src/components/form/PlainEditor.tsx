import styles from "./ArgumentsForm.module.css";
import type { JsonEditorProps } from "./JsonEditor";

/** JSON text without help, for the moment until the editor is there. */
export function PlainEditor({ value, onChange, label, id, describedBy, readOnly = false, problem }: JsonEditorProps) {
  return (
    <textarea
      id={id}
      className={styles.plain}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={problem ? true : undefined}
      rows={12}
      spellCheck={false}
      autoComplete="off"
      readOnly={readOnly}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
