import { pieces } from "../lib/matching";
import styles from "./Found.module.css";

/** Shows a text with the searched words marked. */
export function Found({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  return pieces(text, words).map((piece, index) =>
    piece.found ? (
      <mark key={index} className={styles.found}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
