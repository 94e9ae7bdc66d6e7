import type { ReactNode } from "react";

import styles from "./Facts.module.css";

type Entries = readonly (readonly [name: string, value: ReactNode])[];

export interface FactsProps {
  /** Values by name, or as entries where the names are not ours. */
  items: Readonly<Record<string, ReactNode>> | Entries;
}

/** Names and values, one pair a line. A fact whose value is `null` or `false` is left out. */
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
