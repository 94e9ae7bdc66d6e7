import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../../../components/Button";
import { Conversation, type ConversationMessage } from "../../../../components/conversation/Conversation";
import { Markdown } from "../../../../components/markdown/Markdown";
import { ImageBlock, Recording } from "../../../../components/media/MediaBlocks";
import { SaveButton } from "../../../../components/media/SaveButton";
import { repetitionOf } from "../../../../components/content/repetition";
import { isCut } from "../../../../components/viewer/ShowAll";
import type {
  ContentBlock,
  DocumentSource,
  OperationNumber,
  OperationOutcome,
  PromptResult,
} from "../../../../ipc/bindings";
import { cx } from "../../../../lib/cx";
import { isWebAddress, pageWarnings } from "../../../../lib/pages";
import { isMarkdown, looksAligned, looksLikeJson, looksLikeMarkdown } from "../../../../lib/looks";
import type { JsonNode } from "../../../../schema/node";
import { nodeIn } from "../../../../schema/parse";
import { sameValue } from "../../../../schema/same";
import { useActions } from "../../../../state/hooks";
import { useFetched } from "../../../../state/queries";
import { useLoading } from "../loading";
import { linkName } from "../giveWords";
import { DataView } from "./DataView";
import styles from "./result.module.css";

type RunResult = Extract<OperationOutcome, { type: "result" }>;

/** Result of a run, large and in plain words. Text written by the server is marked as quoted. */
export function Result({ operation, result }: { readonly operation: OperationNumber; readonly result: RunResult }) {
  // An empty object or array is omitted, and so is a wrapper that repeats the content.
  const isEmpty = /^\s*(\{\s*\}|\[\s*\])\s*$/.test(result.structured?.json ?? "");
  const repeated = repetitionOf(result);
  const structured = isEmpty || repeated === "structured" ? null : result.structured;
  const values = structured?.json ? nodeIn(structured.json) : undefined;
  const blocks = result.content
    .map((block, index) => ({ block, index }))
    .filter(({ block }) => !structured || (repeated !== "content" && !isForPrograms(block, values)));
  if (result.prompt && result.prompt.messages.length > 0) {
    return <Messages operation={operation} content={result.content} prompt={result.prompt} />;
  }
  if (blocks.length === 0 && !structured) return <p className="muted">Done. There is nothing to show.</p>;
  return (
    <div className={styles.result}>
      {blocks.map(({ block, index }) => (
        <Block key={index} block={block} source={{ type: "content", operation, index }} />
      ))}
      {structured && (
        <DataView source={{ type: "structured", operation }} text={structured.json} bytes={structured.bytes} />
      )}
    </div>
  );
}

interface MessagesProps extends Pick<RunResult, "content"> {
  readonly operation: OperationNumber;
  readonly prompt: PromptResult;
}

/** The messages of a prompt. */
function Messages(props: MessagesProps): ReactNode {
  const { description } = props.prompt;
  return (
    <div className={styles.result}>
      {description !== null && <ShortText text={description} markdown />}
      <Conversation messages={messagesOf(props)} heading="h2" />
    </div>
  );
}

/** Pairs the messages with the blocks of the result, which are in the same order. */
function messagesOf({ operation, content, prompt }: MessagesProps): readonly ConversationMessage[] {
  let next = 0;
  return prompt.messages.map(({ role, blocks }) => {
    const first = next;
    next += blocks;
    const pieces = content
      .slice(first, next)
      .map((block, place) => (
        <Block key={place} block={block} source={{ type: "content", operation, index: first + place }} />
      ));
    return { role, content: pieces };
  });
}

/** True for text that repeats the structured values as JSON, for programs that read only text. */
function isForPrograms({ kind, text }: ContentBlock, values: JsonNode | undefined): boolean {
  const node = kind === "text" && text !== null && looksLikeJson(text) ? nodeIn(text) : undefined;
  if (!node || !values) return false;
  // Servers that return no object wrap it in one, as `{"result": [1, 2]}`.
  const wrapped = values.kind === "object" && values.members.length === 1 ? values.members[0]?.value : undefined;
  return sameValue(node, values) || (wrapped !== undefined && sameValue(node, wrapped));
}

function Block({ block, source }: { readonly block: ContentBlock; readonly source: DocumentSource }): ReactNode {
  const mime = block.mime_type ?? "";
  switch (block.kind) {
    case "text":
    case "embedded_text":
      return <Text block={block} source={source} mime={mime} />;
    case "image":
      return <ImageBlock bare source={source} mime={mime} bytes={block.bytes} />;
    case "audio":
      return <Recording bare kind="audio" source={source} mime={mime} bytes={block.bytes} />;
    case "resource_link":
      return <LinkBlock block={block} />;
    case "embedded_blob":
      if (/^image\//i.test(mime)) return <ImageBlock bare source={source} mime={mime} bytes={block.bytes} />;
      if (/^audio\//i.test(mime))
        return <Recording bare kind="audio" source={source} mime={mime} bytes={block.bytes} />;
      return (
        <div className="wrap gapS3">
          A file that can be saved and opened in another app. <SaveButton source={source} />
        </div>
      );
    case "unknown":
      return <p className="muted">A part of the answer cannot be shown here.</p>;
  }
}

/** A link by its name. Only web addresses are shown, since others mean nothing to the audience. */
function LinkBlock({ block: { title, uri } }: { readonly block: ContentBlock }): ReactNode {
  const actions = useActions();
  if (uri === null) return null;
  const page = isWebAddress(uri);
  const name = linkName(title, uri);
  return (
    <div className="wrap gapS3">
      <span className="stack grow breakable" data-quoted>
        {name !== null && <strong>{name}</strong>}
        {page && <span className="note">{uri}</span>}
      </span>
      {isCut(uri) && <span className="muted">{pageWarnings(uri, true)}</span>}
      {name === null && !page && <span className="muted">A part of the answer cannot be shown here.</span>}
      {page && (
        <Button icon={ExternalLink} onClick={() => actions.askToOpen(uri)}>
          Open…
        </Button>
      )}
    </div>
  );
}

interface TextProps {
  readonly block: ContentBlock;
  readonly source: DocumentSource;
  readonly mime: string;
}

/** Text of any length, cut to the length that an audience reads. */
function Text({ block, source, mime }: TextProps): ReactNode {
  if (block.text === null) return <LongText source={source} bytes={block.bytes} />;
  if (looksLikeJson(block.text)) return <DataView source={source} text={block.text} bytes={block.bytes} />;
  return <ShortText text={block.text} markdown={isMarkdown(mime, block.text)} />;
}

function ShortText({ text, markdown }: { readonly text: string; readonly markdown: boolean }): ReactNode {
  if (text.trim() === "") return null;
  return (
    <div className={styles.prose} data-quoted>
      {markdown ? (
        <Markdown text={text} />
      ) : (
        <pre className={cx("asWritten breakable", !looksAligned(text) && styles.words)}>{text}</pre>
      )}
    </div>
  );
}

/** Limit of characters shown of a long text. */
const MOST_TEXT = 20_000;

function LongText({ source, bytes }: { readonly source: DocumentSource; readonly bytes: number }): ReactNode {
  const fetched = useFetched(JSON.stringify(source), "", async (backend) => {
    const data = await backend.readBytes(source);
    return new TextDecoder().decode(data.slice(0, 4 * MOST_TEXT)).slice(0, MOST_TEXT);
  });
  const start = fetched.value;
  useLoading(fetched.state === "loading");
  if (fetched.state === "failed") return <p className="muted">The answer cannot be shown here.</p>;
  if (start === undefined) return <p role="status">Reading…</p>;
  // Rows of values may still be a table.
  if (/^\s*[[{]/.test(start)) return <DataView source={source} text={null} bytes={bytes} />;
  return (
    <>
      <ShortText text={start} markdown={looksLikeMarkdown(start)} />
      <p className="muted">This is the beginning of a long text.</p>
    </>
  );
}
