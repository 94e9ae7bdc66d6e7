import type { ReactNode } from "react";

import styles from "./Empty.module.css";
import { Spinner } from "./Spinner";

export interface EmptyProps {
  title: string;
  /** The title is the heading of the whole page. */
  page?: boolean;
  /** Label of a spinner in place of the content, which is on its way. */
  waits?: string;
  /** Buttons for the next step. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Placeholder of a pane that has no content yet. */
export function Empty({ title, page = false, waits, actions, children }: EmptyProps) {
  const content = waits === undefined ? children : <Spinner label={waits} />;
  return (
    <div className={styles.empty}>
      {page ? <h1 className="large strong">{title}</h1> : <p className="large strong">{title}</p>}
      {content !== undefined && <div className={styles.text}>{content}</div>}
      {actions !== undefined && <div className="wraps gap8 flexed centered marginTop8">{actions}</div>}
    </div>
  );
}
