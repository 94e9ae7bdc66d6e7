import { markOf, namesOf, partsOf } from "../lib/visible";
import styles from "./VisibleText.module.css";

/** Shows a text with a mark for every invisible character. With `lines`, line breaks are kept. */
export function Marked({ text, lines = false }: { text: string; lines?: boolean }) {
  return partsOf(text, lines).map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      <span key={index} className={styles.mark} role="img" aria-label={namesOf(part)} data-tip={namesOf(part)}>
        {markOf(part)}
      </span>
    ),
  );
}

/** Like {@link Marked}, in a monospaced font. */
export function MarkedCode({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <code className={className}>
      <Marked text={text} />
    </code>
  );
}
