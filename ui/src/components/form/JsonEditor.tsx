import { lazy, Suspense, useRef } from "react";

import { track } from "../../lib/underWay";
import { PlainEditor, type JsonEditorProps, type Selected } from "./PlainEditor";

/** The editor is large, so it comes when it is first looked at; if it cannot, plain text stays editable. */
const CodeEditor = lazy(async () => {
  try {
    return await track(import("./CodeEditor"));
  } catch {
    return { default: PlainEditor };
  }
});

/** JSON text with colours, brackets and search. What is typed goes out character by character. */
export function JsonEditor(props: Omit<JsonEditorProps, "left">) {
  // Whoever types already when the large editor comes goes on typing in it.
  const left = useRef<Selected | null>(null);
  return (
    <div className="shrink clipped strongBox rounded">
      <Suspense fallback={<PlainEditor {...props} left={left} />}>
        <CodeEditor {...props} left={left} />
      </Suspense>
    </div>
  );
}
