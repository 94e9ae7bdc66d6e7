import { useRef } from "react";

import { later, useIsThere } from "../later";
import { PlainEditor, type JsonEditorProps, type Selected } from "./PlainEditor";

/** The editor is large, so it comes when it is first looked at; if it cannot, plain text stays editable. */
const CodeEditor = later<JsonEditorProps>(async () => {
  try {
    return (await import("./CodeEditor")).default;
  } catch {
    return PlainEditor;
  }
});

/** JSON text with colours, brackets and search. What is typed goes out character by character. */
export function JsonEditor(props: Omit<JsonEditorProps, "left">) {
  // Whoever types already when the large editor comes goes on typing in it.
  const left = useRef<Selected | null>(null);
  const Editor = useIsThere(CodeEditor) ? CodeEditor : PlainEditor;
  return (
    <div className="shrink clipped strongBox rounded">
      <Editor {...props} left={left} />
    </div>
  );
}
