import { Square, SquareCheck } from "lucide-react";
import { createElement, memo, useContext, useEffect, useState, type ReactNode } from "react";

import { useActions } from "../../state/hooks";
import { bytes } from "../../lib/format";
import { isWebAddress } from "../../lib/pages";
import { whileWanted } from "../../lib/whileWanted";
import { Button } from "../Button";
import type { MarkdownElement, MarkdownNode } from "./parse";
import { OwnMarkdownContext } from "./ownMarkdown";
import { markdownParser } from "./parser";
import styles from "./Markdown.module.css";

/** Limit of texts rendered without asking, in characters. */
const LONGEST_TEXT = 40_000;

/** A link that opens only through the panel that shows its whole address. */
function Link({ url, children }: { url: string; children: React.ReactNode }) {
  const { askToOpen } = useActions();
  if (!isWebAddress(url)) {
    return (
      <span>
        {children}
        {url !== "" && <span className="muted"> ({url})</span>}
      </span>
    );
  }
  return (
    <button type="button" className="linkButton" onClick={() => askToOpen(url)}>
      {children}
    </button>
  );
}

/** Elements rendered as they are. Of all others, only the content is rendered. */
const PLAIN = new Set("p em strong del code blockquote ul ol li br hr thead tbody tr th td sup section".split(" "));

function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");
}

function Element({ element }: { element: MarkdownElement }): ReactNode {
  const own = useContext(OwnMarkdownContext);
  const { tag, attributes } = element;
  const text = (name: string) => String(attributes[name] ?? "");
  const children = <Nodes nodes={element.children} />;
  switch (tag) {
    case "a":
      if (own) return own.link(text("href"), children);
      return <Link url={text("href")}>{children}</Link>;
    case "img":
      if (own) return own.picture(text("src"), text("alt"));
      // Loading a remote image would tell its host that the text is being read.
      return <Link url={text("src")}>[Image: {text("alt") || "no description"}]</Link>;
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      if (own) return own.heading(Number(tag.slice(1)), textOf(element.children), children);
      return <h3 className="heading">{children}</h3>;
    case "input":
      return attributes.checked ? (
        <SquareCheck size={14} role="img" aria-label="Done:" className={styles.task} />
      ) : (
        <Square size={14} role="img" aria-label="Open:" className={styles.task} />
      );
    case "table":
      return (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table">
          <table>{children}</table>
        </div>
      );
    case "pre":
      return (
        <pre className={styles.pre} tabIndex={0} role="region" aria-label="Code">
          {children}
        </pre>
      );
    case "br":
    case "hr":
      return createElement(tag);
    case "ol":
      return <ol start={Number(attributes.start ?? 1)}>{children}</ol>;
    case "th":
    case "td":
      return createElement(tag, { style: { textAlign: attributes.align } }, children);
    default:
      return PLAIN.has(tag) ? createElement(tag, null, children) : children;
  }
}

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] }): ReactNode {
  return nodes.map((node, at) => (typeof node === "string" ? node : <Element key={at} element={node} />));
}

/** Avoids `Suspense`, which reveals loaded content up to 300 ms late. */
function Parsing({ text }: { text: string }) {
  const own = useContext(OwnMarkdownContext);
  const [parsed, setParsed] = useState(() => markdownParser.known(text));
  const [tries, setTries] = useState(1);
  useEffect(() => whileWanted(markdownParser.parse(text), setParsed), [text, tries]);
  // The app's own text is never shown unrendered.
  if (parsed === null) return own ? null : <div className="breakable asWritten">{text.slice(0, 4000)}</div>;
  if (parsed.ok) return <Nodes nodes={parsed.nodes} />;
  return (
    <>
      <p className="note">Shown as text, because its Markdown {parsed.reason}.</p>
      {parsed.again && (
        <p>
          <Button small onClick={() => setTries(tries + 1)}>
            Show as Markdown
          </Button>
        </p>
      )}
      <div className="breakable asWritten">{text}</div>
    </>
  );
}

/**
 * Renders a server's text as Markdown: no raw HTML, no remote images, and links only through the panel that shows the
 * whole address first. Text beyond a limit is shown unrendered. Within an {@link OwnMarkdownContext} the text is the
 * app's own, which renders links, pictures and headings.
 */
export const MarkdownBody = memo(function MarkdownBody({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > LONGEST_TEXT;
  const shown = cut ? text.slice(0, LONGEST_TEXT) : text;
  return (
    <div className={styles.markdown}>
      <Parsing key={shown} text={shown} />
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

/** Starts the worker before its first text. */
export function prepareMarkdown(): void {
  markdownParser.prepare();
}
