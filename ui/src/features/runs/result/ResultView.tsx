import type { ReactNode } from "react";

import { Callout } from "../../../components/Callout";
import { ContentBlockView } from "../../../components/content/ContentBlockView";
import { repetitionOf } from "../../../components/content/repetition";
import { TableOrDocument } from "../../../components/content/TableOrDocument";
import { Disclosure } from "../../../components/Disclosure";
import { FindingsCallout } from "../../../components/Findings";
import { HelpButton } from "../../../components/HelpButton";
import { MetaText } from "../../../components/ItemExtras";
import { Marked } from "../../../components/Marked";
import { Sentence } from "../../../components/Prose";
import { DocumentViewer } from "../../../components/viewer/DocumentViewer";
import { isCut } from "../../../components/viewer/ShowAll";
import type {
  ContentBlock,
  OperationView,
  OperationOutcome,
  OperationNumber,
  StructuredContent,
  DocumentSource,
} from "../../../ipc/bindings";
import { bytes, count } from "../../../lib/format";
import { looksLikeJson, looksLikeMarkdown } from "../../../lib/looks";
import { prettyJson } from "../../../schema/print";
import { foundInRun } from "../../../state/issues";
import { RESOURCES_READ, TOOLS_CALL } from "../../../state/operationName";
import { LostCallout } from "./LostCallout";
import { PromptResultView } from "./PromptResultView";

export interface ResultViewProps {
  readonly operation: OperationView;
}

/** Outcome of a finished operation, in full. */
export function ResultView({ operation }: ResultViewProps): ReactNode {
  const outcome = operation.outcome;
  if (!outcome) return null;
  return (
    <div className="stack gapS2 shrink">
      {operation.answered_after_cancel && (
        <Callout level="info">You cancelled this run; the server responded anyway.</Callout>
      )}
      <Outcome operation={operation} outcome={outcome} />
      {outcome.type === "result" && outcome.meta !== null && (
        <Disclosure
          summary={
            <>
              <code>_meta</code> of the result
            </>
          }
        >
          <MetaText meta={outcome.meta} source={{ type: "answer", operation: operation.operation }} label="Result" />
        </Disclosure>
      )}
      {operation.token_waits > 0 && (
        <p className="note">
          The run waited for a token
          {operation.token_waits > 1 && ` ${count(operation.token_waits, "time", "times")}`}. The wire log has what was
          sent, and sent again.
        </p>
      )}
    </div>
  );
}

function Outcome({ operation, outcome }: ResultViewProps & { readonly outcome: OperationOutcome }): ReactNode {
  switch (outcome.type) {
    case "result":
      if (outcome.prompt !== null) {
        return <PromptResultView operation={operation} result={outcome} prompt={outcome.prompt} />;
      }
      return operation.method === TOOLS_CALL || operation.method === RESOURCES_READ ? (
        <ToolResult operation={operation} result={outcome} />
      ) : (
        <RawResult operation={operation} result={outcome} />
      );
    case "protocol_error":
      return (
        <Callout
          level="error"
          title="The server returned an error"
          actions={help(String(outcome.code), outcome.meaning)}
        >
          <p>{outcome.meaning}</p>
          <p className="breakable">Message: “{outcome.message}”</p>
          <Disclosure summary="Code and data" open={isShort(outcome.data)}>
            <p>
              JSON-RPC code <code>{outcome.code}</code>
            </p>
            {operation.earlier?.result_dropped === true ? (
              <p className="note">The data was not stored with the run.</p>
            ) : isCut(outcome.message) || isCut(outcome.data ?? "") ? (
              <DocumentViewer label="Error" source={{ type: "answer", operation: operation.operation }} />
            ) : outcome.data === null ? (
              <p className="note">No data.</p>
            ) : (
              <pre className="codeBox scrolls plain maxHeight240 padS2" tabIndex={0}>
                {prettyJson(outcome.data)}
              </pre>
            )}
          </Disclosure>
        </Callout>
      );
    case "bad_shape":
      return (
        <Callout
          level="error"
          title="The response is not a valid result"
          actions={help("bad_shape", "The response is not a valid result")}
        >
          <Sentence text={outcome.problem} />
          <p>The server needs a fix. The raw response is below.</p>
        </Callout>
      );
    case "sent":
      return <p className="note">Sent without response: nothing answers a notification.</p>;
    case "timed_out":
      return (
        <Callout
          level="warning"
          title={outcome.hard ? "Max timeout reached" : "Idle timeout reached"}
          actions={help("timed_out", outcome.hard ? "Max timeout reached" : "Idle timeout reached")}
        >
          {operation.task ? "Sonde stopped waiting for the task." : "Sonde gave up and cancelled the request."}{" "}
          {outcome.hard ? "The max timeout" : "The idle timeout"} is part of the server's settings; “Wait longer”
          extends it for a run in progress.
        </Callout>
      );
    case "cancelled":
      return (
        <Callout level="info" title="Cancelled">
          {operation.task === null
            ? "The request was cancelled and the server sent no result."
            : operation.task.status === "cancelled"
              ? "The task was cancelled and has no result."
              : "The server did not confirm the cancellation. “Get result” on the Tasks tab asks for the result."}
        </Callout>
      );
    case "stopped_waiting":
      return (
        <Callout level="info" title="Stopped waiting">
          You stopped waiting for the task, so its result was not received.
        </Callout>
      );
    case "lost":
      return <LostCallout operation={operation} outcome={outcome} />;
  }
}

function help(code: string, sentence: string): ReactNode {
  return <HelpButton about="runs" code={code} sentence={sentence} />;
}

/** True for error data short enough to be shown at once. */
function isShort(data: string | null): boolean {
  return data !== null && data.length <= 1000;
}

type Result = Extract<OperationOutcome, { type: "result" }>;

/** Longest error text that is shown whole in its box, in characters. */
const MOST_ERROR_TEXT = 2000;

/** Returns the text of an error that is only plain text; `null` for anything else. */
function errorText({ is_error, content }: Result): string | null {
  const isPlain = ({ kind, text, findings, details, mime_type }: ContentBlock): boolean =>
    kind === "text" && text !== null && findings.length === 0 && details === null && mime_type === null;
  if (!is_error || content.length === 0 || !content.every(isPlain)) return null;
  const text = content.map((block) => block.text).join("\n");
  return text.length > MOST_ERROR_TEXT || looksLikeMarkdown(text) || looksLikeJson(text) ? null : text;
}

/** Bytes up to which a result holds no more than `{"content":[]}`. */
const EMPTY_BYTES = 40;

/** A result without readable content; shown as JSON if it has other members. */
function NoContent({ operation, result }: { readonly operation: OperationView; readonly result: Result }): ReactNode {
  if (operation.earlier?.result_dropped === true) {
    return <p className="note">{`The result (${bytes(result.bytes)}) was not stored with the run.`}</p>;
  }
  const reads = operation.method === RESOURCES_READ;
  if (result.findings.length > 0 || result.bytes > EMPTY_BYTES) {
    return (
      <>
        <p className="note">
          {reads ? "It has no readable contents. Received:" : "It has no readable content. Received:"}
        </p>
        <RawResult operation={operation} result={result} />
      </>
    );
  }
  return (
    <p className="note">
      {reads ? "The server returned no contents for this URI." : "The result is empty: the tool returned no content."}
    </p>
  );
}

/** Result of a method without a view of its own. */
function RawResult({ operation, result }: { readonly operation: OperationView; readonly result: Result }): ReactNode {
  if (operation.earlier?.result_dropped === true) {
    return <p className="note">{`The result (${bytes(result.bytes)}) was not stored with the run.`}</p>;
  }
  return <DocumentViewer label="Result" source={{ type: "answer", operation: operation.operation }} />;
}

function ToolResult({ operation, result }: { readonly operation: OperationView; readonly result: Result }): ReactNode {
  const { content, structured } = result;
  const isDropped = operation.earlier?.result_dropped === true;
  const repeated = repetitionOf(result);
  const said = repeated === "content" ? null : errorText(result);
  const reads = operation.method === RESOURCES_READ;
  const blocks = content.map((block, index) => (
    <ContentBlockView
      // Blocks of a finished operation never change their order.
      key={index}
      block={block}
      source={{ type: "content", operation: operation.operation, index }}
      number={index + 1}
      alone={content.length === 1 && (!structured || repeated === "structured")}
      server={operation.server}
      read={reads}
      found={foundInRun(operation)}
    />
  ));
  return (
    <>
      {result.is_error && (
        <Callout
          level="error"
          title="The tool returned an error"
          actions={help("tool_error", "The tool returned an error")}
        >
          {said !== null && (
            <p className="strong breakable asWritten">
              <Marked text={said} lines />
            </p>
          )}
          <p className="note">
            The request itself succeeded; the tool reported {said === null ? "the error below" : "this"} (isError).
          </p>
        </Callout>
      )}
      <FindingsCallout
        title="The result does not follow the specification"
        findings={result.findings}
        at={foundInRun(operation)}
      />
      {structured &&
        repeated !== "structured" &&
        (isDropped ? (
          <Notes structured={structured} />
        ) : (
          <StructuredBlock operation={operation.operation} structured={structured} />
        ))}
      {said !== null ? null : repeated === "content" ? (
        <Disclosure summary="Same content as text">{blocks}</Disclosure>
      ) : (
        blocks
      )}
      {structured && repeated === "structured" && (
        <Disclosure
          summary="Same content as structured content"
          open={structured.problems.length > 0 || structured.unchecked !== null}
        >
          <StructuredBlock operation={operation.operation} structured={structured} />
        </Disclosure>
      )}
      {content.length === 0 && (!structured || isDropped) && <NoContent operation={operation} result={result} />}
      {content.length > 1 && (
        <p className="note">
          {reads
            ? `${content.length} contents of one reading`
            : count(content.length, "content block", "content blocks")}
        </p>
      )}
    </>
  );
}

interface StructuredBlockProps {
  readonly operation: OperationNumber;
  readonly structured: StructuredContent;
}

/** Structured content: as a table if it has that form, and always as a tree. */
function StructuredBlock({ operation, structured }: StructuredBlockProps): ReactNode {
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
