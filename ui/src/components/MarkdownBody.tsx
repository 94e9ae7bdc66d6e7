import { memo, useState } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";

import { useActions } from "../state/hooks";
import { bytes } from "../lib/format";
import { Button } from "./Button";
import styles from "./Markdown.module.css";

/** Longest text drawn without asking, in characters. */
const LIMIT = 40_000;

const plugins: NonNullable<Options["remarkPlugins"]> = [remarkGfm];

/** Addresses that the confirmed opener takes. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** A link that leaves the window only through the panel that shows its whole address. */
function Link({ url, children }: { url: string; children: React.ReactNode }) {
  const { askToOpen } = useActions();
  if (!isWebAddress(url)) {
    return (
      <span>
        {children}
        {url !== "" && <span className={styles.address}> ({url})</span>}
      </span>
    );
  }
  return (
    <button type="button" className={styles.link} onClick={() => askToOpen(url)}>
      {children}
    </button>
  );
}

const components: Components = {
  a: ({ href, children }) => <Link url={href ?? ""}>{children}</Link>,
  // Loading a remote image would tell its host that somebody reads this.
  img: ({ src, alt }) => (
    <Link url={typeof src === "string" ? src : ""}>
      [Image: {alt !== undefined && alt !== "" ? alt : "no description"}]
    </Link>
  ),
  h1: ({ children }) => <h3 className="heading">{children}</h3>,
  h2: ({ children }) => <h3 className="heading">{children}</h3>,
  h3: ({ children }) => <h3 className="heading">{children}</h3>,
  h4: ({ children }) => <h3 className="heading">{children}</h3>,
  h5: ({ children }) => <h3 className="heading">{children}</h3>,
  h6: ({ children }) => <h3 className="heading">{children}</h3>,
  input: ({ checked }) => <span>{checked ? "[x]" : "[ ]"}</span>,
  table: ({ children }) => (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    <pre className={styles.pre} tabIndex={0} role="region" aria-label="Code">
      {children}
    </pre>
  ),
};

/**
 * Text from a server as Markdown: no raw HTML, no remote images, links only through the panel that
 * shows the whole address first.
 */
export const MarkdownBody = memo(function MarkdownBody({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > LIMIT;
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {cut ? text.slice(0, LIMIT) : text}
      </ReactMarkdown>
      {cut && (
        <p>
          <Button small onClick={() => setWhole(true)}>
            Show all ({bytes(text.length)})
          </Button>
        </p>
      )}
    </div>
  );
});
