/**
 * Removes the Markdown marks of emphasis, code and links from a server's text, for places that show plain text. Takes
 * time in proportion to the text.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]+)\]\([^()\n]*\)/g, "$1")
    .replace(/\*\*([^*\n]+)\*\*/g, "$1")
    .replace(/(^|[^\w*])\*([^*\s][^*\n]*)\*(?![\w*])/gm, "$1$2")
    .replace(/`([^`\n]+)`/g, "$1");
}
