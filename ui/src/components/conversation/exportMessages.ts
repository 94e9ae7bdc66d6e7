/** Converts the messages of a prompt or of a sampling request to the formats of other programs. */

import { isPlain, type Json } from "../../lib/apps/message";

/** Messages in the format of an API, and the content that it cannot hold. */
export interface Exported {
  readonly text: string;
  /** Descriptions of the omitted content, each once with its count: "2 × audio". Empty if nothing is omitted. */
  readonly leftOut: readonly string[];
}

interface Message {
  readonly role: string;
  readonly content: readonly Json[];
}

/** Message formats of model APIs. */
export type Format = "anthropic" | "openai";

/** Converts the messages of a result, given as the server sent it, to JSON for a model API. */
export function exportMessages(result: string, format: Format): Exported {
  const leftOut = new Map<string, number>();
  const drop = (what: string): null => {
    leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
    return null;
  };
  const messages = messagesOf(result).flatMap(({ role, content }) => {
    if (role !== "user" && role !== "assistant") return drop(`message of the role “${role}”`) ?? [];
    const parts = content.flatMap((block) => {
      if (block["annotations"] !== undefined) drop("annotations");
      if (block["_meta"] !== undefined) drop("_meta");
      return (format === "anthropic" ? anthropic(block, drop) : openai(block, role, drop)) ?? [];
    });
    return parts.length === 0
      ? (drop("message without anything that is left of it") ?? [])
      : [{ role, content: parts }];
  });
  const words = [...leftOut].map(([what, times]) => (times === 1 ? what : `${times} × ${what}`));
  return { text: JSON.stringify(messages, null, 2), leftOut: words };
}

/** Formats the messages as text, each under its role; other content is only named. */
export function messagesAsText(result: string): string {
  const blocks = messagesOf(result).map(({ role, content }) => {
    const said = content.map((block) => textOf(block) ?? `[${nameOf(block)}]`);
    return `${role === "" ? "(no role)" : role}:\n${said.join("\n\n")}`;
  });
  return blocks.join("\n\n");
}

type Drop = (what: string) => null;

/** Builds a content block of the Messages API of Anthropic. */
function anthropic(block: Json, drop: Drop): Json | null {
  const text = textOf(block);
  if (text !== null) return { type: "text", text };
  const media = mediaOf(block);
  const source = media && { type: "base64", media_type: media.mime, data: media.data };
  if (media && IMAGES.has(media.mime)) return { type: "image", source };
  if (media?.mime === "application/pdf") return { type: "document", source };
  return drop(nameOf(block));
}

/** Builds a content part of the Chat Completions API of OpenAI; assistant messages have only text there. */
function openai(block: Json, role: string, drop: Drop): Json | null {
  const text = textOf(block);
  if (text !== null) return { type: "text", text };
  const media = mediaOf(block);
  if (media && role === "user") {
    if (IMAGES.has(media.mime)) {
      return { type: "image_url", image_url: { url: `data:${media.mime};base64,${media.data}` } };
    }
    const format = AUDIO[media.mime];
    if (format !== undefined) return { type: "input_audio", input_audio: { data: media.data, format } };
  }
  return drop(nameOf(block));
}

/** Image types that both APIs accept. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const AUDIO: Readonly<Record<string, string | undefined>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** Returns text, including that of an embedded resource. */
function textOf(block: Json): string | null {
  const found = block["type"] === "text" ? block["text"] : block["type"] === "resource" ? inner(block)["text"] : null;
  return typeof found === "string" ? found : null;
}

function mediaOf(block: Json): { readonly mime: string; readonly data: string } | null {
  const [from, data] = block["type"] === "resource" ? [inner(block), inner(block)["blob"]] : [block, block["data"]];
  const mime = from["mimeType"];
  return typeof data === "string" && typeof mime === "string" ? { mime, data } : null;
}

/** Names a block that is not text. */
function nameOf(block: Json): string {
  switch (block["type"]) {
    case "image":
    case "audio":
      return typeof block["mimeType"] === "string" ? `${block["type"]} (${block["mimeType"]})` : block["type"];
    case "resource_link":
      return "resource link";
    case "resource":
      return "embedded resource";
    default:
      return "content of an unknown type";
  }
}

function inner(block: Json): Json {
  return isPlain(block["resource"]) ? block["resource"] : {};
}

function messagesOf(result: string): readonly Message[] {
  const parsed: unknown = JSON.parse(result);
  const messages = isPlain(parsed) ? parsed["messages"] : null;
  if (!Array.isArray(messages)) return [];
  return messages.filter(isPlain).map(({ role, content }) => ({
    role: typeof role === "string" ? role : "",
    content: (Array.isArray(content) ? content : [content]).filter(isPlain),
  }));
}
