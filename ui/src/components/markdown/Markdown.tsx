import { later } from "../later";

/**
 * Text from a server as Markdown: no raw HTML, no remote images, links only through the panel that
 * shows the whole address first.
 */
export const Markdown = later(async () => {
  const { MarkdownBody, prepareMarkdown } = await import("./MarkdownBody");
  prepareMarkdown();
  return MarkdownBody;
});
