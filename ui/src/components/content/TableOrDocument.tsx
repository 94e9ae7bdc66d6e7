import { useState, type ReactNode } from "react";

import { Segmented } from "../Segmented";
import { ResultTable } from "../table/ResultTable";
import { useTable } from "../table/useTable";
import { sourceKey } from "../viewer/useDocument";
import type { DocumentSource } from "../../ipc/bindings";
import { bytes as sizeText, count } from "../../lib/format";
import styles from "./content.module.css";

export interface TableOrDocumentProps {
  /** Name of the content; shown above it if `title` is set. */
  readonly label: string;
  readonly title?: boolean;
  readonly source: DocumentSource;
  /** The whole text if it is short; `null` if it is read as a document. */
  readonly text: string | null;
  readonly bytes: number;
  /** Shown between the title and the table. */
  readonly notes?: ReactNode;
  /** The JSON as a document. */
  readonly children: ReactNode;
}

/** Shows JSON as a table if it is one, and as a document. */
export function TableOrDocument(props: TableOrDocumentProps): ReactNode {
  return <Found key={sourceKey(props.source)} {...props} />;
}

function Found({ label, title = false, source, text, bytes, notes, children }: TableOrDocumentProps): ReactNode {
  const table = useTable(source, text, bytes);
  const [shape, setShape] = useState<"table" | "json">("table");
  const found = table !== "reading" && table !== null;
  return (
    <>
      {(title || found) && (
        <header className="wrap gapS1xS2 minHeight24">
          {title && <span className="strong">{label}</span>}
          {found && (
            <>
              <span className="note">
                {sizeText(bytes)} · {count(table.head.rows, "row", "rows")}
              </span>
              <span className="inlineRow gapS1 pushRight">
                <Segmented
                  label={`${label} view`}
                  value={shape}
                  onChange={setShape}
                  items={{ table: "Table", json: "JSON" }}
                />
              </span>
            </>
          )}
        </header>
      )}
      {notes}
      {table === "reading" ? (
        <p className={styles.reading} role="status">
          Reading…
        </p>
      ) : table !== null && shape === "table" ? (
        <ResultTable engine={table} />
      ) : (
        children
      )}
    </>
  );
}
