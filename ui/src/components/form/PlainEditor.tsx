import { useLayoutEffect, useRef, type RefObject } from "react";

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
  /** What is selected in the editor that has gone, where it had the focus: the one that takes its place goes on there. */
  readonly left?: RefObject<Selected | null>;
}

/** Characters of the text, from the first to that after the last. */
export interface Selected {
  readonly from: number;
  readonly to: number;
}

/** JSON text without help, for the moment until the editor is there. */
export function PlainEditor(props: JsonEditorProps) {
  const { value, onChange, label, id, describedBy, readOnly = false, problem, left } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    // It is still in the page, with its focus, when this is undone.
    return () => {
      if (!left || !element || document.activeElement !== element) return;
      left.current = { from: element.selectionStart, to: element.selectionEnd };
    };
  }, [left]);
  return (
    <textarea
      ref={area}
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
