import { useState } from "react";
import { cut } from "../../lib/cut";
import { scrollable } from "../../lib/scrollable";
import { useLater } from "../../lib/useLater";
import { isEmpty, toText, type FormDocument } from "../../schema/document";
import { CopyButton } from "../CopyButton";
import styles from "./ArgumentsForm.module.css";

/** Limit of characters shown; the JSON view shows all. */
const LONGEST_PREVIEW = 20_000;

/** The exact JSON that will be sent. Nothing is printed while the preview is closed. */
export function Preview({ doc }: { readonly doc: FormDocument }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="padTopS2 lineAbove" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="note minHeight24">
        JSON preview{isEmpty(doc) && <span className="note"> · no arguments</span>}
      </summary>
      {open && <PreviewText doc={doc} />}
    </details>
  );
}

function PreviewText({ doc }: { readonly doc: FormDocument }) {
  const text = toText(useLater(doc));
  return (
    <div className="positioned shrink">
      <pre
        className="rounded asWritten maxHeight240 pad8 scrolls onCode breakable"
        {...scrollable("JSON that is sent", "region")}
      >
        {cut(text, LONGEST_PREVIEW)}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label="Copy JSON" compact />
      </div>
    </div>
  );
}
