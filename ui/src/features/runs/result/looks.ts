const STRONG = [
  /^#{1,6} \S/m, // heading
  /^(```|~~~)/m, // fence
  /^\|?\s*:?-{3,}:?\s*\|/m, // table
  /\[[^\]\n]+\]\((https?:|mailto:|#|\/)[^)\s]*\)/, // link
];
const WEAK = [
  /\*\*[^*\n]+\*\*/, // bold
  /`[^`\n]+`/, // code
  /^> \S/m, // quote
  /^\s*[-*+] \S.*\n\s*[-*+] \S/m, // two items
  /^\s*\d+[.)] \S.*\n\s*\d+[.)] \S/m, // two numbered items
];

/** Text that gains from being shown as Markdown: one sure sign, or two that may be chance. */
export function looksLikeMarkdown(text: string): boolean {
  if (STRONG.some((sign) => sign.test(text))) return true;
  return WEAK.filter((sign) => sign.test(text)).length >= 2;
}

/** Text that is a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  const trimmed = text.trim();
  const first = trimmed[0];
  const last = trimmed.at(-1);
  if (!((first === "{" && last === "}") || (first === "[" && last === "]"))) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}
