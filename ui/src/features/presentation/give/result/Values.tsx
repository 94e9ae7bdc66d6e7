import type { ReactNode } from "react";

import { inWords } from "../../../../lib/inWords";
import { base64Words, looksLikeBase64 } from "../../../../lib/looks";
import type { JsonNode } from "../../../../schema/node";
import styles from "./result.module.css";

/** Limits of nesting and of the number of values, as an audience cannot read more. */
const MOST_LEVELS = 6;
const MOST_ENTRIES = 100;

/** Shows a value in plain words: labels with their values, stacked. */
export function Values({ node, level = 0 }: { readonly node: JsonNode; readonly level?: number }): ReactNode {
  switch (node.kind) {
    case "object":
      if (node.members.length === 0) return <span className="muted">–</span>;
      if (level >= MOST_LEVELS) return <span className="muted">…</span>;
      return (
        <dl className={styles.values}>
          {node.members.slice(0, MOST_ENTRIES).map(({ id, key, value }) => (
            <div key={id} className={styles.value}>
              <dt>{inWords(key)}</dt>
              <dd>
                <Values node={value} level={level + 1} />
              </dd>
            </div>
          ))}
          <More count={node.members.length - MOST_ENTRIES} />
        </dl>
      );
    case "array":
      if (node.items.length === 0) return <span className="muted">–</span>;
      if (node.items.every(({ value }) => isShort(value))) {
        const texts = node.items.slice(0, MOST_ENTRIES).map(({ value }) => textOf(value));
        return (
          <>
            {texts.join(", ")}
            <More count={node.items.length - MOST_ENTRIES} />
          </>
        );
      }
      if (level >= MOST_LEVELS) return <span className="muted">…</span>;
      return (
        <ul className={styles.items}>
          {node.items.slice(0, MOST_ENTRIES).map(({ id, value }) => (
            <li key={id}>
              <Values node={value} level={level + 1} />
            </li>
          ))}
          <More count={node.items.length - MOST_ENTRIES} />
        </ul>
      );
    default:
      return <span className="asWritten">{textOf(node)}</span>;
  }
}

function More({ count }: { readonly count: number }): ReactNode {
  return count > 0 && <p className="note">and {count} more</p>;
}

function isShort(node: JsonNode): boolean {
  return node.kind !== "object" && node.kind !== "array" && textOf(node).length <= 40;
}

/** Formats a plain value without JSON syntax. */
export function textOf(node: JsonNode): string {
  switch (node.kind) {
    case "null":
      return "–";
    case "boolean":
      return node.value ? "Yes" : "No";
    case "number":
      return node.lexeme;
    case "string":
      return looksLikeBase64(node.value) ? base64Words(node.value) : node.value;
    case "raw":
      return node.text;
    case "array":
      return node.items.map(({ value }) => textOf(value)).join(", ");
    case "object":
      return node.members.map(({ key, value }) => `${inWords(key)}: ${textOf(value)}`).join(", ");
  }
}
