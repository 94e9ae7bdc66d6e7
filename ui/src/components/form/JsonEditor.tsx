import { useRef } from "react";

import { later, useIsThere } from "../later";
import { PlainEditor, type JsonEditorProps, type Selected } from "./PlainEditor";

/** The editor is large, so it is loaded when first shown; plain text is editable until then, and if loading fails. */
const CodeEditor = later<JsonEditorProps>(async () => {
  try {
    return (await import("./CodeEditor")).default;
  } catch {
    return PlainEditor;
  }
});

/** Editor of JSON text with colours, brackets and search. Typed text is passed on character by character. */
export function JsonEditor(props: Omit<JsonEditorProps, "left">) {
  // The large editor takes over the selection, so that typing can continue.
  const left = useRef<Selected | null>(null);
  const Editor = useIsThere(CodeEditor) ? CodeEditor : PlainEditor;
  return (
    <div className="shrink clipped strongBox rounded">
      <Editor {...props} left={left} />
    </div>
  );
}
