import type { ReactNode } from "react";

import styles from "./Facts.module.css";

export interface FactsProps {
  items: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values, one pair a line. A fact whose value is `null` or `false` is left out. */
export function Facts({ items }: FactsProps) {
  return (
    <dl className="stack gap4">
      {items.map(
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
