import { TriangleAlert } from "lucide-react";

import { cx } from "../lib/cx";
import { lettersWords, markOf, mixedScripts, namesOf, partsOf } from "../lib/visible";
import styles from "./VisibleText.module.css";

/**
 * A text of somebody else, with a mark for every character that cannot be seen, and a word about
 * letters that look like others. `code` is in the face of code, in the order of its characters, with
 * its lines.
 */
export function VisibleText({ text, code = false }: { text: string; code?: boolean }) {
  const mixed = mixedScripts(text);
  const shown = (
    <>
      <Marked text={text} lines={code} />
      {mixed.length > 0 && (
        <span className={styles.mixed}>
          <TriangleAlert size={13} className={styles.icon} role="img" aria-label="Warning" />
          mixes {lettersWords(mixed)}
        </span>
      )}
    </>
  );
  return code ? <code className={cx(styles.code, styles.ordered)}>{shown}</code> : <bdi>{shown}</bdi>;
}

/** A text with a mark for every character that cannot be seen. */
export function Marked({ text, lines = false }: { text: string; lines?: boolean }) {
  return partsOf(text, lines).map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      <span key={index} className={styles.mark} role="img" aria-label={namesOf(part)} title={namesOf(part)}>
        {markOf(part)}
      </span>
    ),
  );
}
