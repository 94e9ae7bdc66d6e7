import { useState, type ReactNode } from "react";

import { scrollable } from "../../lib/scrollable";
import { CopyButton } from "../CopyButton";
import { Markdown } from "../markdown/Markdown";
import { SaveButton } from "../media/SaveButton";
import { Segmented } from "../Segmented";
import { DocumentViewer } from "../viewer/DocumentViewer";
import { sourceLanguage, type SourceLanguage } from "../viewer/sourceLanguage";
import { useSourceTokens } from "../viewer/useSourceTokens";
import type { DocumentMode, DocumentSource } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { bytes as sizeText } from "../../lib/format";
import { frontMatter } from "../../lib/frontMatter";
import { isMarkdown, looksAligned, looksLikeJson } from "../../lib/looks";
import { TableOrDocument } from "./TableOrDocument";
import styles from "./content.module.css";

export interface TextBlockProps {
  readonly source: DocumentSource;
  /** The whole text if it is short; `null` if it is read as a document. */
  readonly text: string | null;
  readonly mime: string;
  /** URI that the text was read from; `null` if it was not read. */
  readonly uri: string | null;
  readonly bytes: number;
}

const JSON_MODES: readonly DocumentMode[] = ["tree", "pretty", "raw"];

/** Shows a text of any length: plain, as Markdown, as source code, or as a JSON tree. */
export function TextBlock({ source, text, mime, uri, bytes }: TextBlockProps): ReactNode {
  if (text === null) {
    return (
      <TableOrDocument label="Text" source={source} text={text} bytes={bytes}>
        <DocumentViewer
          label="Text"
          source={source}
          modes={JSON_MODES}
          initialMode="tree"
          expectJson={false}
          height={520}
        />
      </TableOrDocument>
    );
  }
  if (looksLikeJson(text)) {
    return (
      <TableOrDocument label="JSON text" source={source} text={text} bytes={bytes}>
        <DocumentViewer label="JSON text" source={source} modes={JSON_MODES} initialMode="tree" height={420} />
      </TableOrDocument>
    );
  }
  if (text === "") return <p className="note">The text is empty.</p>;
  const language = sourceLanguage(mime, uri);
  if (language !== null || isSource(mime)) return <SourceText source={source} text={text} language={language} />;
  return <ShortText source={source} text={text} bytes={bytes} markdown={isMarkdown(mime, text)} />;
}

interface SourceTextProps extends Pick<TextBlockProps, "source"> {
  readonly text: string;
  readonly language: SourceLanguage | null;
}

/** Shows source code with line numbers, and with colours if its language is known. */
function SourceText({ source, text, language }: SourceTextProps): ReactNode {
  const tokens = useSourceTokens(text, language);
  return (
    <DocumentViewer
      label="Source text"
      source={source}
      modes={["raw"]}
      expectJson={false}
      height={520}
      tokens={tokens}
    />
  );
}

interface ShortTextProps extends Pick<TextBlockProps, "source" | "bytes"> {
  readonly text: string;
  readonly markdown: boolean;
}

function ShortText({ source, text, bytes, markdown }: ShortTextProps): ReactNode {
  const [mode, setMode] = useState<"rendered" | "text">("rendered");
  const rendered = markdown && mode === "rendered";
  return (
    <div className={styles.text}>
      <div className={styles.textBody} {...scrollable("Text")}>
        {rendered ? (
          <RenderedText text={text} />
        ) : (
          <pre className={cx(styles.wrapped, !looksAligned(text) && styles.words)}>{text}</pre>
        )}
      </div>
      <div className={styles.textTools}>
        {markdown && (
          <Segmented label="Text view" value={mode} onChange={setMode} items={{ rendered: "Rendered", text: "Text" }} />
        )}
        <span className="note">{sizeText(bytes)}</span>
        <CopyButton compact label="Copy text" text={text} />
        <SaveButton compact source={source} />
      </div>
    </div>
  );
}

/** Renders Markdown; front matter is shown as data, since Markdown would turn it into a heading. */
function RenderedText({ text }: { readonly text: string }): ReactNode {
  const { head, body } = frontMatter(text);
  return (
    <>
      {head !== null && <pre className={styles.wrapped}>{head}</pre>}
      <Markdown text={body} />
    </>
  );
}

/** True for media types whose text is source code. */
function isSource(mime: string): boolean {
  const [type = ""] = mime.toLowerCase().split(";");
  return /^(text\/(x-|css|html|javascript|xml|yaml)|application\/(x-sh|x-yaml|yaml|toml|xml|javascript|sql))|\+xml$/.test(
    type.trim(),
  );
}
