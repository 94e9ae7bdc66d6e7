import type { ReactNode } from "react";

import styles from "./Section.module.css";

export interface SectionProps {
  readonly title: string;
  /** Buttons and words beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Part of a pane with a heading and a dividing line above. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <section className={styles.section} aria-label={title}>
      <div className="wrap gap8">
        <h2 className="heading stretch unbroken">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A section without a visible heading. */
export function BareSection({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles.section} aria-label={label}>
      {children}
    </section>
  );
}
