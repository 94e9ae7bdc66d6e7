import { useMemo, useState, type ReactNode } from "react";

import { Code } from "../../components/Code";
import { Marked } from "../../components/Marked";
import { Player } from "../../components/media/MediaBlocks";
import { OnRequest, Picture } from "../../components/media/Picture";
import { bytes as sizeText, count } from "../../lib/format";
import { itemsOf, memberOf, stringOf, type JsonNode } from "../../schema/node";
import { printNode } from "../../schema/print";
import styles from "./samplingContent.module.css";

/** Limit of blocks shown per tool result; the raw request has all. */
const MOST_RESULT_BLOCKS = 50;

/** Number of parts beyond a limit, if there are any. */
export function Unshown({ number, noun }: { readonly number: number; readonly noun: string }): ReactNode {
  if (number <= 0) return null;
  return (
    <p className="note shrink breakable">{count(number, `more ${noun}`, `more ${noun}s`)}: see the raw request.</p>
  );
}

/**
 * One block of any type in the conversation of a sampling request. Text is shown as the server wrote it, digit for
 * digit.
 */
export function SamplingContent({ block }: { readonly block: JsonNode }): ReactNode {
  const member = (name: string): string | undefined => stringOf(memberOf(block, name));
  const [type, words, data, mime] = [member("type"), member("text"), member("data"), member("mimeType")];
  if (type === "text" && words !== undefined) {
    return (
      <p className="selectable asWritten breakable">
        <Marked text={words} lines />
      </p>
    );
  }
  if ((type === "image" || type === "audio") && data !== undefined && mime !== undefined) {
    return <Media type={type} data={data} mime={mime} />;
  }
  if (type === "tool_use") {
    const input = memberOf(block, "input");
    return (
      <Titled title={`Tool use: ${member("name") ?? "no name"} (${member("id") ?? "no id"})`}>
        <Code label="Arguments" text={input ? printNode(input) : "{}"} />
      </Titled>
    );
  }
  if (type === "tool_result") {
    const structured = memberOf(block, "structuredContent");
    const isError = memberOf(block, "isError");
    const content = itemsOf(memberOf(block, "content"));
    const failed = isError?.kind === "boolean" && isError.value;
    return (
      <Titled title={`Tool result of ${member("toolUseId") ?? "no id"}${failed ? ": the tool reports an error" : ""}`}>
        {content.slice(0, MOST_RESULT_BLOCKS).map((each, at) => (
          <SamplingContent key={at} block={each} />
        ))}
        <Unshown number={content.length - MOST_RESULT_BLOCKS} noun="block" />
        {structured && <Code label="Structured content" text={printNode(structured)} />}
      </Titled>
    );
  }
  return <Code label="Content of another type" text={printNode(block)} />;
}

function Titled({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="stack gap8 shrink">
      <p className="small strong breakable">
        <Marked text={title} />
      </p>
      {children}
    </div>
  );
}

interface MediaProps {
  readonly type: "image" | "audio";
  readonly data: string;
  readonly mime: string;
}

/** An image or a sound, with its type. Damaged data is reported as damaged. */
function Media({ type, data, mime }: MediaProps): ReactNode {
  const bytes = useMemo(() => decoded(data), [data]);
  const [wanted, setWanted] = useState(false);
  const [refused, setRefused] = useState(false);
  const isOther = !(type === "image" ? /^image\//i : /^audio\//i).test(mime);
  const broken = refused || isOther || !bytes;
  const name = type === "image" ? "Image" : "Audio";
  const size = bytes ? ` · ${sizeText(bytes.length)}` : "";
  return (
    <figure className="stack gap4 alignStart">
      <figcaption className="note">
        <Marked text={`${name} · ${mime}${size}`} />
        {broken && ": it cannot be shown, since its data is damaged or its format is not supported."}
      </figcaption>
      {!broken && type === "image" && (
        <Picture data={bytes} mime={mime} alt="Part of the conversation" className={styles.image} />
      )}
      {!broken && type === "audio" && !wanted && <OnRequest what="Sound." verb="Play" onWant={() => setWanted(true)} />}
      {!broken && type === "audio" && wanted && (
        <Player
          kind="audio"
          data={bytes}
          mime={mime}
          label="Part of the conversation"
          onError={() => setRefused(true)}
        />
      )}
    </figure>
  );
}

function decoded(data: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
