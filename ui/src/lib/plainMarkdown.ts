/**
 * A text in which a server wrote Markdown, for a place that shows plain words: without the marks of
 * emphasis, code and links. Takes time in proportion to the text.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]+)\]\([^()\n]*\)/g, "$1")
    .replace(/\*\*([^*\n]+)\*\*/g, "$1")
    .replace(/(^|[^\w*])\*([^*\s][^*\n]*)\*(?![\w*])/gm, "$1$2")
    .replace(/`([^`\n]+)`/g, "$1");
}
