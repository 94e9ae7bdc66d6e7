import { markOf, namesOf, partsOf } from "../lib/visible";
import styles from "./VisibleText.module.css";

/** A text with a mark for every character that cannot be seen. With `lines`, its lines are kept. */
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

/** The same in the face of code. */
export function MarkedCode({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <code className={className}>
      <Marked text={text} />
    </code>
  );
}
