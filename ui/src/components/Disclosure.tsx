import { useState, type ReactNode } from "react";

import styles from "./Disclosure.module.css";

export interface DisclosureProps {
  summary: ReactNode;
  /** Open to begin with. */
  open?: boolean;
  children: ReactNode;
}

/** Something one click below. Its content is made when it is opened. */
export function Disclosure({ summary, open: initially = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(initially);
  return (
    <details className={styles.details} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>{summary}</summary>
      {open && <div className={styles.body}>{children}</div>}
    </details>
  );
}
