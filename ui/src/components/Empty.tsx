import type { ReactNode } from "react";

import styles from "./Empty.module.css";

export interface EmptyProps {
  title: string;
  /** What to do next. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** What a pane says when there is nothing in it yet. */
export function Empty({ title, actions, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
