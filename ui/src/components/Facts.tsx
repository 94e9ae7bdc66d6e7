import type { ReactNode } from "react";

import styles from "./Facts.module.css";

type Entries = readonly (readonly [name: string, value: ReactNode])[];

export interface FactsProps {
  /** Values by name, or as entries if the names come from outside. */
  items: Readonly<Record<string, ReactNode>> | Entries;
}

/** Lists names and values, a pair per line. Facts whose value is `null` or `false` are left out. */
export function Facts({ items }: FactsProps) {
  return (
    <dl className="stack gap4">
      {(isEntries(items) ? items : Object.entries(items)).map(
        ([name, value]) =>
          value !== null &&
          value !== false && (
            <div key={name} className={styles.row}>
              <dt className="muted">{name}</dt>
              <dd className="selectable">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function isEntries(items: FactsProps["items"]): items is Entries {
  return Array.isArray(items);
}
