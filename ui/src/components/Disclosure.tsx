import { useState, type ReactNode } from "react";

import styles from "./Disclosure.module.css";

export interface DisclosureProps {
  summary: ReactNode;
  /** Open to begin with. */
  open?: boolean;
  /** A higher number than before opens it, for what must not stay hidden. */
  reveal?: number;
  /** It was opened or closed; for what has to survive the component. */
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** Something one click below. Its content is made when it is opened. */
export function Disclosure({ summary, open: initially = false, reveal = 0, onToggle, children }: DisclosureProps) {
  const [open, setOpen] = useState(initially);
  const [revealed, setRevealed] = useState(reveal);
  if (reveal !== revealed) {
    setRevealed(reveal);
    if (reveal > revealed) setOpen(true);
  }
  return (
    <details
      className={styles.details}
      open={open}
      onToggle={(event) => {
        const now = event.currentTarget.open;
        if (now === open) return;
        setOpen(now);
        onToggle?.(now);
      }}
    >
      <summary className={styles.summary}>{summary}</summary>
      {open && <div className={styles.body}>{children}</div>}
    </details>
  );
}
