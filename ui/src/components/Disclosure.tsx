import { useState, type ReactNode } from "react";

import styles from "./Disclosure.module.css";

export interface DisclosureProps {
  summary: ReactNode;
  /** Initially open. */
  open?: boolean;
  /** A number that opens the disclosure when it grows, for content that must not stay hidden. */
  reveal?: number;
  /** Reports opening and closing, for state that must survive the component. */
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** Expandable content, which is rendered when it is opened. */
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
