import { scrollable } from "../lib/scrollable";
import styles from "./Code.module.css";
import { CopyButton } from "./CopyButton";

export interface CodeProps {
  text: string;
  /** Accessible name of the block. */
  label: string;
}

/** Preformatted text with its own scroll bars and a copy button. */
export function Code({ text, label }: CodeProps) {
  return (
    <div className="positioned">
      {/* A scroller must be reachable by keyboard. */}
      <pre className={styles.pre} {...scrollable(label, "region")}>
        {text}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} compact />
      </div>
    </div>
  );
}
