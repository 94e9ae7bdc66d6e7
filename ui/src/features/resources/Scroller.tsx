import type { ReactNode } from "react";

import styles from "./resources.module.css";

/** What stands above the button, and scrolls. */
export function Scroller({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div
      className={styles.scroller}
      tabIndex={0}
      role="group"
      aria-label="About the resource"
      data-focus="inset"
      data-scroll="Resource"
    >
      {children}
    </div>
  );
}
