import { useState, type ReactNode } from "react";

import styles from "./Disclosure.module.css";

export interface DisclosureProps {
  summary: ReactNode;
  /** Open to begin with. */
  open?: boolean;
  /** It was opened or closed; for what has to survive the component. */
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** Something one click below. Its content is made when it is opened. */
export function Disclosure({ summary, open: initially = false, onToggle, children }: DisclosureProps) {
  const [open, setOpen] = useState(initially);
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
