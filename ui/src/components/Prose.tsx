import { Marked } from "./Marked";
import styles from "./Prose.module.css";

/**
 * A sentence of Sonde's own. What it quotes exactly stands between backticks and is shown in the
 * face of code.
 */
export function Prose({ text }: { text: string }) {
  // With a group in the pattern every second piece is what stood between two backticks.
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

/** The same as a paragraph. */
export function Sentence({ text, className }: { text: string; className?: string }) {
  return (
    <p className={className}>
      <Prose text={text} />
    </p>
  );
}
