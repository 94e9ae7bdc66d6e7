import { Marked } from "./Marked";
import styles from "./Prose.module.css";

/** A sentence of Sonde's own. Quoted text is between backticks and shown in a monospaced font. */
export function Prose({ text }: { text: string }) {
  // As the pattern has a group, every second piece was between two backticks.
  const pieces = text.split(/`([^`]+)`/);
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      <code key={index} className={styles.exact} data-quoted>
        <Marked text={piece} />
      </code>
    ) : (
      <Marked key={index} text={piece} lines />
    ),
  );
}

/** Like {@link Prose}, as a paragraph. */
export function Sentence({ text, className }: { text: string; className?: string }) {
  return (
    <p className={className}>
      <Prose text={text} />
    </p>
  );
}
