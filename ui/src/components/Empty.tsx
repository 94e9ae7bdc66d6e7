import type { ReactNode } from "react";

import styles from "./Empty.module.css";

export interface EmptyProps {
  title: string;
  /** The title is the heading of the whole page. */
  page?: boolean;
  /** Buttons for the next step. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Placeholder of a pane that has no content yet. */
export function Empty({ title, page = false, actions, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {page ? <h1 className="large strong">{title}</h1> : <p className="large strong">{title}</p>}
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className="wraps gap8 flexed centered marginTop8">{actions}</div>}
    </div>
  );
}
