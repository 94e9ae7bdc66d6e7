import { memo, type ReactNode } from "react";

import type { DocumentRow } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { cx } from "../../lib/cx";
import { escapesOf } from "../../lib/visible";
import { Found } from "../Found";
import { tokensOf, tokensOfRow, type Token } from "./tokens";
import styles from "./viewer.module.css";

const INDENT = 14;
/** Limit of the indentation, or a deep tree would be all white space. */
const MAX_INDENT_LEVELS = 60;

interface RowProps {
  readonly row: DocumentRow | undefined;
  readonly index: number;
  readonly id: string;
  readonly needle: string;
  readonly hit: boolean;
  readonly current: boolean;
  /** Lines are indented JSON. */
  readonly coloured: boolean;
  /** Tokens of each line of source code. */
  readonly source?: readonly (readonly Token[])[] | null;
}

/** A row of a document. The list handles clicks, by `data-row`. */
export const DocumentRowView = memo(function DocumentRowView({
  row,
  index,
  id,
  needle,
  hit,
  current,
  coloured,
  source = null,
}: RowProps): ReactNode {
  if (!row) {
    return (
      <div className={styles.row} role="presentation" data-row={index}>
        <span className={styles.pending}>…</span>
      </div>
    );
  }
  const className = cx(styles.row, hit && styles.hitRow, current && styles.current);
  if (row.type === "text") {
    const tokens = row.line === null || needle !== "" ? null : tokensIn(row.text, row.line, coloured, source);
    return (
      <div className={className} data-row={index} id={id}>
        <span className={styles.lineNumber} aria-hidden="true">
          {row.line ?? ""}
        </span>
        {/* The line number; empty for a row that continues a line. */}
        <span className={styles.lineText} data-line={row.line ?? ""}>
          {tokens ? <Coloured tokens={tokens} /> : <Marked text={row.text} needle={needle} />}
        </span>
      </div>
    );
  }
  const container = row.kind === "object" || row.kind === "array";
  const indent = Math.min(row.depth, MAX_INDENT_LEVELS) * INDENT;
  return (
    <div
      className={className}
      role="treeitem"
      id={id}
      data-row={index}
      aria-level={row.depth + 1}
      aria-expanded={container && row.children > 0 ? row.expanded : undefined}
      aria-selected={current}
      style={{ paddingLeft: indent + 8 }}
    >
      <span className={styles.twisty} data-toggle={container && row.children > 0 ? "" : undefined} aria-hidden="true">
        {container && row.children > 0 ? (row.expanded ? "▾" : "▸") : ""}
      </span>
      {row.key !== null && (
        <span className={styles.key}>
          <Marked text={row.key} needle={needle} />
          <span className={styles.colon}>: </span>
        </span>
      )}
      {row.index !== null && <span className={styles.index}>{row.index}: </span>}
      {container ? (
        <span className={styles.summary}>{containerText(row.kind, row.children)}</span>
      ) : (
        <span className={valueClass(row.kind)}>
          <Marked text={row.value} needle={needle} />
        </span>
      )}
      {row.truncated && <span className={styles.cut}> … cut here; copy the value for all of it</span>}
    </div>
  );
});

function containerText(kind: string, children: number): string {
  const array = kind === "array";
  if (children === 0) return array ? "[ ]" : "{ }";
  const count = number(children);
  if (array) return `[ ${count} ${children === 1 ? "item" : "items"} ]`;
  return `{ ${count} ${children === 1 ? "member" : "members"} }`;
}

function valueClass(kind: string): string | undefined {
  if (kind === "string") return styles.string;
  if (kind === "number") return styles.number;
  return styles.word;
}

/** Returns the tokens of a row that begins a line, if it has colours. */
function tokensIn(text: string, line: number, json: boolean, source: RowProps["source"]): readonly Token[] | null {
  if (json) return tokensOf(text);
  const tokens = source?.[line - 1];
  return tokens ? tokensOfRow(tokens, text) : null;
}

function Coloured({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, i) =>
    token.kind === "mark" ? (
      token.text
    ) : (
      <span key={i} className={styles[token.kind]}>
        {escapesOf(token.text)}
      </span>
    ),
  );
}

function Marked({ text, needle }: { readonly text: string; readonly needle: string }): ReactNode {
  return needle === "" ? escapesOf(text) : <Found text={text} words={[needle.toLowerCase()]} />;
}
