import type { SyntaxProblem } from "../../schema/document";
import styles from "./ArgumentsForm.module.css";

/** What both editors of JSON text are told. */
export interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly id?: string;
  readonly describedBy?: string;
  readonly readOnly?: boolean;
  /** Marked in the text. */
  readonly problem?: SyntaxProblem | null;
}

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
