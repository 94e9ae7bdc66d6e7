import { lazy, Suspense } from "react";
import type { SyntaxProblem } from "../../schema/document";
import styles from "./ArgumentsForm.module.css";
import { PlainEditor } from "./PlainEditor";

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

/** The editor is large, so it comes when it is first looked at; if it cannot, plain text stays editable. */
const CodeEditor = lazy(async () => {
  try {
    return await import("./CodeEditor");
  } catch {
    return { default: PlainEditor };
  }
});

/** JSON text with colours, brackets and search. What is typed goes out character by character. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <div className={styles.editor}>
      <Suspense fallback={<PlainEditor {...props} />}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}
