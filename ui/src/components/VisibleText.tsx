import { TriangleAlert } from "lucide-react";

import { foreignHosts, hostWords } from "../lib/address";
import { cx } from "../lib/cx";
import { lettersWords, mixedScripts } from "../lib/visible";
import { Marked } from "./Marked";
import { Prose } from "./Prose";
import styles from "./VisibleText.module.css";

interface VisibleTextProps {
  text: string;
  /** In a monospaced font, in the order of the characters, with line breaks. */
  code?: boolean;
  /** No line breaks are expected in the code. */
  oneLine?: boolean;
}

/**
 * Shows a text from outside, with a mark for every invisible character, and a note about letters that look like others.
 */
export function VisibleText({ text, code = false, oneLine = false }: VisibleTextProps) {
  const mixed = mixedScripts(text);
  const shown = (
    <>
      <span data-quoted>
        <Marked text={text} lines={code && !oneLine} />
      </span>
      {mixed.length > 0 && (
        <span className={styles.mixed}>
          <WarningIcon />
          mixes {lettersWords(mixed)}
        </span>
      )}
      {foreignHosts(text).map((host) => (
        <HostNote key={host} host={host} />
      ))}
    </>
  );
  return code ? (
    <code className={cx("selectable monoFont asWritten monoSize", styles.ordered)}>{shown}</code>
  ) : (
    <bdi>{shown}</bdi>
  );
}

/** Shows the letters that a Punycode host name stands for; nothing for other hosts. */
export function HostNote({ host }: { host: string }) {
  const words = hostWords(host);
  return (
    words !== null && (
      <span className="warn small strong block textFont">
        <WarningIcon />
        <Prose text={words} />
      </span>
    )
  );
}

function WarningIcon() {
  return <TriangleAlert size={13} className={styles.icon} role="img" aria-label="Warning" />;
}
