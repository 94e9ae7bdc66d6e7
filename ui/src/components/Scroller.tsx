import type { ReactNode } from "react";

import styles from "./Scroller.module.css";

export interface ScrollerProps {
  /** Subject of the text: `resource`. */
  readonly about: string;
  readonly children: ReactNode;
}

/** Scrolling text about an item, above the button that reads it. */
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
