import type { ReactNode } from "react";

import { scrollable } from "../lib/scrollable";
import styles from "./Scroller.module.css";

export interface ScrollerProps {
  /** Subject of the text: `resource`. */
  readonly about: string;
  readonly children: ReactNode;
}

/** Scrolling description of an item, above the button that reads it. */
export function Scroller({ about, children }: ScrollerProps): ReactNode {
  return (
    <div className={styles.scroller} {...scrollable(`About the ${about}`)} data-scroll={about}>
      {children}
    </div>
  );
}
