import { later } from "../later";

/**
 * Renders a server's text as Markdown: no raw HTML, no remote images, and links only through the panel that shows the
 * whole address first.
 */
export const Markdown = later(async () => {
  const { MarkdownBody, prepareMarkdown } = await import("./MarkdownBody");
  prepareMarkdown();
  return MarkdownBody;
});
