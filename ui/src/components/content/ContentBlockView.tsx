import { BookOpen, ExternalLink } from "lucide-react";
import { operationActions } from "../../state/actions/operations";
import type { FoundAt } from "../../state/issues";
import type { ReactNode } from "react";

import { Button } from "../Button";
import { Disclosure } from "../Disclosure";
import { FindingList } from "../Findings";
import { CopyButton } from "../CopyButton";
import { DocumentViewer } from "../viewer/DocumentViewer";
import { isCut } from "../viewer/ShowAll";
import { ImageBlock, Recording } from "../media/MediaBlocks";
import { SaveButton } from "../media/SaveButton";
import { PdfBlock } from "../pdf/PdfBlock";
import type { ContentKind, ContentBlock, DocumentSource, LedBy, ServerId } from "../../ipc/bindings";
import { bytes } from "../../lib/format";
import { isWebAddress } from "../../lib/pages";
import { useActions, useIsReady } from "../../state/hooks";
import { MarkedCode } from "../Marked";
import { ContentDetailsView } from "./ContentDetailsView";
import { TextBlock } from "./TextBlock";
import styles from "./content.module.css";

export interface ContentBlockViewProps {
  readonly block: ContentBlock;
  /** Source of the block's data. */
  readonly source: DocumentSource;
  /** Number of the block within its result or message, from 1. */
  readonly number: number;
  /** The block is the only one, so a title such as "Text" is omitted. */
  readonly alone: boolean;
  /** The server that returned the block. */
  readonly server: ServerId;
  /** Set for content that was read from a resource and is not part of a result. */
  readonly read?: boolean;
  /** Location of the block's findings among the issues of the server. */
  readonly found?: FoundAt | undefined;
}

const KIND_WORDS: Record<ContentKind, string> = {
  text: "Text",
  image: "Image",
  audio: "Audio",
  resource_link: "Resource link",
  embedded_text: "Embedded resource",
  embedded_blob: "Embedded resource",
  unknown: "Unknown content type",
};

/** Words for content read from a resource, which is not embedded in anything. */
const READ_WORDS: Readonly<Partial<Record<ContentKind, string>>> = {
  embedded_text: "Text",
  embedded_blob: "Binary data",
};

/** Shows one content block of a result or a message. */
export function ContentBlockView(props: ContentBlockViewProps): ReactNode {
  const { block, source, number, alone, server, read = false, found } = props;
  const word = read ? (READ_WORDS[block.kind] ?? KIND_WORDS[block.kind]) : KIND_WORDS[block.kind];
  return (
    // A group, not a landmark, as each message of a conversation has a first block.
    <div className="stack gapS1 shrink" role="group" aria-label={`${word}, block ${number}`}>
      {!(alone && block.kind === "text") && (
        <header className="wrap gapS1xS2 minHeight24">
          <span className="strong">{word}</span>
          <span className="note">
            {[block.mime_type, showsItsSize(block) ? null : bytes(block.bytes)].filter(Boolean).join(" · ")}
          </span>
        </header>
      )}
      {block.findings.length > 0 && <FindingList findings={block.findings} at={found} />}
      {block.title !== null && <p className="breakable">{block.title}</p>}
      {block.uri !== null && <Address uri={block.uri} link={linkOf(block, source)} server={read ? null : server} />}
      {block.details !== null && (
        <ContentDetailsView server={server} details={block.details} answer={answerOf(source)} />
      )}
      <Body block={block} source={source} />
    </div>
  );
}

function Body({ block, source }: { readonly block: ContentBlock; readonly source: DocumentSource }): ReactNode {
  const mime = block.mime_type ?? "";
  switch (block.kind) {
    case "text":
    case "embedded_text":
      return <TextBlock source={source} text={block.text} mime={mime} uri={block.uri} bytes={block.bytes} />;
    case "image":
      return <ImageBlock source={source} mime={mime} bytes={block.bytes} />;
    case "audio":
      return <Recording kind="audio" source={source} mime={mime} bytes={block.bytes} />;
    case "resource_link":
      return null;
    case "embedded_blob":
      if (/^image\//i.test(mime)) return <ImageBlock source={source} mime={mime} bytes={block.bytes} />;
      if (/^audio\//i.test(mime)) return <Recording kind="audio" source={source} mime={mime} bytes={block.bytes} />;
      if (/^video\//i.test(mime)) return <Recording kind="video" source={source} mime={mime} bytes={block.bytes} />;
      if (isTextual(mime))
        return <TextBlock source={source} text={block.text} mime={mime} uri={block.uri} bytes={block.bytes} />;
      if (/^application\/pdf\s*(;|$)/i.test(mime)) return <PdfContent source={source} bytes={block.bytes} />;
      return <BinaryBlock source={source} />;
    case "unknown":
      return (
        <>
          <p className="note">Sonde does not know this content type. Raw content:</p>
          <DocumentViewer label="Unknown content type" source={source} modes={["pretty", "tree", "raw"]} height={300} />
        </>
      );
  }
}

/** Describes data that only another app can show, and offers its bytes. */
function BinaryBlock({ source }: { readonly source: DocumentSource }): ReactNode {
  return (
    <>
      <div className="wrap gapS1xS2">
        <span>Binary data. Save it to open it in another app.</span>
        <SaveButton source={source} />
      </div>
      <Bytes source={source} />
    </>
  );
}

/** Shows a PDF document, with its bytes collapsed. */
function PdfContent({ source, bytes }: { readonly source: DocumentSource; readonly bytes: number }): ReactNode {
  return (
    <>
      <PdfBlock source={source} bytes={bytes} />
      <Disclosure summary="Bytes">
        <Bytes source={source} />
      </Disclosure>
    </>
  );
}

function Bytes({ source }: { readonly source: DocumentSource }): ReactNode {
  return <DocumentViewer label="Bytes" source={source} modes={["hex"]} expectJson={false} height={260} />;
}

function isTextual(mime: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript|toml|csv)\b/i.test(mime);
}

function linkOf({ kind }: ContentBlock, source: DocumentSource): LedBy | null {
  return kind === "resource_link" && source.type === "content"
    ? { type: "link", operation: source.operation, index: source.index }
    : null;
}

/** Returns the document of the whole result. */
function answerOf(source: DocumentSource): DocumentSource {
  return source.type === "content" ? { type: "answer", operation: source.operation } : source;
}

/** True for blocks without a separate size: text shows it itself, and links have none. */
function showsItsSize(block: ContentBlock): boolean {
  return block.kind === "text" || block.kind === "embedded_text" || block.kind === "resource_link";
}

/** Shows an address. One that was cut can be neither copied nor opened: users cannot judge what they cannot see. */
function Address(props: {
  readonly uri: string;
  /** Recorded as the link that led to the resource; `null` if the address is not a link. */
  readonly link: LedBy | null;
  /** Server that can read the address; `null` right after it was read. */
  readonly server: ServerId | null;
}): ReactNode {
  const { uri, link, server } = props;
  const ready = useIsReady(server ?? "");
  const actions = useActions();
  const whole = !isCut(uri);
  return (
    <div className="codeBox wraps gapS2 flexed alignStart padS1xS2">
      <MarkedCode className={styles.uri} text={uri} />
      {!whole && <p className="note">Too long to copy or open here.</p>}
      <span className="row gapS1">
        {whole && <CopyButton compact label="Copy URI" text={uri} />}
        {server !== null && whole && (
          <Button
            small
            icon={BookOpen}
            disabled={!ready}
            title={ready ? "Read this resource and show it on the Resources tab" : "Connect first"}
            onClick={() => void actions.get(operationActions).openUri(server, uri, link ?? undefined)}
          >
            Open in Resources
          </Button>
        )}
        {link !== null && isWebAddress(uri) && (
          <Button small icon={ExternalLink} onClick={() => actions.askToOpen(uri)}>
            Open…
          </Button>
        )}
      </span>
    </div>
  );
}
