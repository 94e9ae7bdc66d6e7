import type { ReactNode } from "react";

import { scrollable } from "../lib/scrollable";
import { RESOURCES_READ } from "../state/operationName";
import { RunMeta } from "./meta/RunMeta";
import { ReadBar, type ReadBarProps } from "./ReadBar";
import styles from "./ReadForm.module.css";

export interface ReadFormProps extends ReadBarProps {
  /** Word for the described item: `resource`. */
  readonly one: string;
  /** Description and fields. */
  readonly children: ReactNode;
}

/** Scrolling description of a resource, above the button that reads it. */
export function ReadForm({ one, children, ...bar }: ReadFormProps): ReactNode {
  return (
    <div className="stack fit">
      <div className={styles.scroller} {...scrollable(`About the ${one}`)} data-scroll={one}>
        {children}
        <RunMeta server={bar.server} method={RESOURCES_READ} target={bar.about} />
      </div>
      <ReadBar {...bar} />
    </div>
  );
}
