import type { ReactNode } from "react";

import styles from "./Section.module.css";

export interface SectionProps {
  readonly title: string;
  /** Shows the title to assistive technology only. */
  readonly hideTitle?: boolean;
  /** Buttons and words beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Part of a pane with a heading and a dividing line above. */
export function Section({ title, hideTitle = false, actions, children }: SectionProps): ReactNode {
  return (
    <section className={styles.section} aria-label={title}>
      {!hideTitle && (
        <div className="wrap gap8">
          <h2 className="heading stretch unbroken">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
