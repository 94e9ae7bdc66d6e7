import { useLayoutEffect, useRef, type RefObject } from "react";

import type { SyntaxProblem } from "../../schema/document";
import styles from "./ArgumentsForm.module.css";

/** Props of both editors of JSON text. */
export interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly id?: string;
  readonly describedBy?: string;
  /** Syntax error to mark in the text. */
  readonly problem?: SyntaxProblem | null;
  /** Selection of the focused editor that was removed; its replacement restores it. */
  readonly left?: RefObject<Selected | null>;
}

/** Character offsets in the text; `to` is exclusive. */
export interface Selected {
  readonly from: number;
  readonly to: number;
}

/** Editor of JSON text without support, until the full editor is loaded. */
export function PlainEditor(props: JsonEditorProps) {
  const { value, onChange, label, id, describedBy, problem, left } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    // At this time the text area is still in the page, with its focus.
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
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
