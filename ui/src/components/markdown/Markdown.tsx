import { lazy, Suspense } from "react";

import { track } from "../../lib/underWay";

const loading = () => track(import("./MarkdownBody"));
const MarkdownBody = lazy(async () => ({ default: (await loading()).MarkdownBody }));

/** Fetches what Markdown needs ahead of its first use; it is no part of what the window starts with. */
export async function preloadMarkdown(): Promise<void> {
  (await loading()).prepareMarkdown();
}

/**
 * Text from a server as Markdown: no raw HTML, no remote images, links only through the panel that
 * shows the whole address first.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="breakable asWritten">{text.slice(0, 4000)}</div>}>
      <MarkdownBody text={text} />
    </Suspense>
  );
}
