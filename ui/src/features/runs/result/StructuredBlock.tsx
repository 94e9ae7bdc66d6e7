import { useState, type ReactNode } from "react";

import { Callout } from "../../../components/Callout";
import { Segmented } from "../../../components/Segmented";
import { DocumentViewer } from "../../../components/viewer/DocumentViewer";
import type { OperationNumber, DocumentSource, StructuredContent } from "../../../ipc/bindings";
import { bytes, count } from "../../../lib/format";
import { parseJson } from "../../../schema/parse";
import { ResultTable } from "./ResultTable";
import { tableOf, type TableData } from "./table";
import styles from "./result.module.css";

export interface StructuredBlockProps {
  readonly operation: OperationNumber;
  readonly structured: StructuredContent;
}

/** Structured content: a table where it is one, always a tree. */
export function StructuredBlock({ operation, structured }: StructuredBlockProps): ReactNode {
  const table = structured.json === null ? null : tableFrom(structured.json);
  const [shape, setShape] = useState<"table" | "tree">("table");
  const source: DocumentSource = { type: "structured", operation };
  return (
    <section className={styles.block} aria-label="Structured content">
      <header className={styles.blockHead}>
        <span className={styles.blockKind}>Structured content</span>
        <span className="note">
          {table && `${bytes(structured.bytes)} · ${count(table.rows.length, "row", "rows")}`}
        </span>
        {table && (
          <span className={styles.push}>
            <Segmented
              label="Structured content view"
              value={shape}
              onChange={setShape}
              items={[
                { value: "table", label: "Table" },
                { value: "tree", label: "Tree" },
              ]}
            />
          </span>
        )}
      </header>
      {structured.problems.length > 0 && (
        <Callout level="warning" title="Does not match the tool's output schema">
          <ul className={styles.problems}>
            {structured.problems.map((problem, index) => (
              <li key={index}>
                <code>{problem.instancePath === "" ? "(root)" : problem.instancePath}</code> {problem.message}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {structured.unchecked !== null && (
        <Callout level="info" title="Not checked against the tool's output schema">
          {structured.unchecked}
        </Callout>
      )}
      {table && shape === "table" ? (
        <ResultTable table={table} />
      ) : (
        <DocumentViewer label="Structured content" source={source} initialMode="tree" height={420} />
      )}
    </section>
  );
}

function tableFrom(json: string): TableData | null {
  const parsed = parseJson(json);
  return parsed.ok ? tableOf(parsed.node) : null;
}
