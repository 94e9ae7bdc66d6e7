/** The messages of a prompt or of a sampling request as other programs take them. */

type Json = Readonly<Record<string, unknown>>;

/** Messages in the format of an API, and the content that it cannot hold. */
export interface Exported {
  readonly text: string;
  /** Words for the content left out, each once with its count: "2 × audio". Empty if the text has all of it. */
  readonly leftOut: readonly string[];
}

interface Message {
  readonly role: string;
  readonly content: readonly Json[];
}

/** The formats of the APIs of models. */
export type Format = "anthropic" | "openai";

/** The messages of a result, a text as the server sent it, as JSON for the API of a model. */
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

/** The messages as text, each under its role; what is no text is named. */
export function messagesAsText(result: string): string {
  const blocks = messagesOf(result).map(({ role, content }) => {
    const said = content.map((block) => textOf(block) ?? `[${nameOf(block)}]`);
    return `${role === "" ? "(no role)" : role}:\n${said.join("\n\n")}`;
  });
  return blocks.join("\n\n");
}

type Drop = (what: string) => null;

/** A content block of the Messages API of Anthropic. */
function anthropic(block: Json, drop: Drop): Json | null {
  const text = textOf(block);
  if (text !== null) return { type: "text", text };
  const media = mediaOf(block);
  const source = media && { type: "base64", media_type: media.mime, data: media.data };
  if (media && IMAGES.has(media.mime)) return { type: "image", source };
  if (media?.mime === "application/pdf") return { type: "document", source };
  return drop(nameOf(block));
}

/** A content part of the Chat Completions API of OpenAI; an assistant has text only there. */
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

/** The images that both APIs take. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const AUDIO: Readonly<Record<string, string | undefined>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** Text, that of an embedded resource included. */
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
  return isObject(block["resource"]) ? block["resource"] : {};
}

function messagesOf(result: string): readonly Message[] {
  const parsed: unknown = JSON.parse(result);
  const messages = isObject(parsed) ? parsed["messages"] : null;
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map(({ role, content }) => ({
    role: typeof role === "string" ? role : "",
    content: (Array.isArray(content) ? content : [content]).filter(isObject),
  }));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
