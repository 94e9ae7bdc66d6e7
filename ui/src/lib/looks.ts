import { bytes } from "./format";
import { valueIn } from "./valueIn";

/** Limit of the examined part of a text, in characters. */
const LOOKED_AT = 20_000;

// None of these patterns backtracks over what it has read: otherwise a text could be made to take forever.
const STRONG = [
  /^#{1,6} \S/m, // heading
  /^(```|~~~)/m, // fence
  /^\*\*[^*\s][^*\n]{0,500}\*\*/, // begins in bold
  /^\|?[ \t]*:?-{3,}:?[ \t]*\|/m, // table
  /\[[^[\]\n]{1,200}\]\((https?:|mailto:|#|\/)[^)\s]{0,500}\)/, // link
];
const WEAK = [
  /\*\*[^*\n]{1,500}\*\*/, // bold
  /`[^`\n]+`/, // code
  /^> \S/m, // quote
  /^[ \t]*[-*+] \S.*\n[ \t]*[-*+] \S/m, // two items
  /^[ \t]*\d{1,9}[.)] \S.*\n[ \t]*\d{1,9}[.)] \S/m, // two numbered items
];

/** True for text that gains from being shown as Markdown: it has a strong sign, or two signs that may be chance. */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  if (STRONG.some((sign) => sign.test(start))) return true;
  return WEAK.filter((sign) => sign.test(start)).length >= 2;
}

/** True for text that its media type or its signs call Markdown. */
export function isMarkdown(mime: string, text: string): boolean {
  return /^text\/markdown\s*(;|$)/i.test(mime) || looksLikeMarkdown(text);
}

/** True for text with aligned columns, which needs a monospaced font. */
export function looksAligned(text: string): boolean {
  return text.includes("\n") && /\S(?: {2,}|\t)\S|^(?: {2,}|\t)\S|[\u2500-\u259F]/m.test(text.slice(0, LOOKED_AT));
}

/** True for text that is a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  const trimmed = text.trim();
  const first = trimmed[0];
  const last = trimmed.at(-1);
  if (!((first === "{" && last === "}") || (first === "[" && last === "]"))) return false;
  return valueIn(trimmed) !== undefined;
}

/** True for file data in Base64, which nobody reads. Words and ids are shorter. */
export function looksLikeBase64(text: string): boolean {
  return (
    text.length >= 200 &&
    text.length % 4 === 0 &&
    [/[A-Z]/, /[a-z]/, /[0-9+/]/].every((letters) => letters.test(text)) &&
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
  );
}

/** `Data, 1.2 KB` */
export function base64Words(text: string): string {
  return `Data, ${bytes(Math.floor((text.length * 3) / 4) - (text.match(/=+$/)?.[0].length ?? 0))}`;
}
