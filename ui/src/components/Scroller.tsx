import type { ReactNode } from "react";

import styles from "./Scroller.module.css";

export interface ScrollerProps {
  /** What it is about: `resource`. */
  readonly about: string;
  readonly children: ReactNode;
}

/** What is said of an item above the button that reads it, and scrolls. */
export function Scroller({ about, children }: ScrollerProps): ReactNode {
  return (
    <div
      className={styles.scroller}
      tabIndex={0}
      role="group"
      aria-label={`About the ${about}`}
      data-focus="inset"
      data-scroll={about}
    >
      {children}
    </div>
  );
}
