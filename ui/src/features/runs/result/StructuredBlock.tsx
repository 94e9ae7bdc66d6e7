import type { ReactNode } from "react";

import { Callout } from "../../../components/Callout";
import { TableOrDocument } from "../../../components/content/TableOrDocument";
import { DocumentViewer } from "../../../components/viewer/DocumentViewer";
import type { OperationNumber, DocumentSource, StructuredContent } from "../../../ipc/bindings";

export interface StructuredBlockProps {
  readonly operation: OperationNumber;
  readonly structured: StructuredContent;
}

/** Structured content: as a table if it has that form, and always as a tree. */
export function StructuredBlock({ operation, structured }: StructuredBlockProps): ReactNode {
  const source: DocumentSource = { type: "structured", operation };
  return (
    <section className="stack gapS1 shrink" aria-label="Structured content">
      <TableOrDocument
        title
        label="Structured content"
        source={source}
        text={structured.json}
        bytes={structured.bytes}
        notes={<Notes structured={structured} />}
      >
        <DocumentViewer label="Structured content" source={source} initialMode="tree" height={420} />
      </TableOrDocument>
    </section>
  );
}

function Notes({ structured }: Pick<StructuredBlockProps, "structured">): ReactNode {
  return (
    <>
      {structured.problems.length > 0 && (
        <Callout level="warning" title="Does not match the tool's output schema">
          <ul className="padLeftS4 breakable">
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
    </>
  );
}
