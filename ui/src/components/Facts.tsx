import type { ReactNode } from "react";

import styles from "./Facts.module.css";

export interface FactsProps {
  items: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values, one pair a line. */
export function Facts({ items }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {items.map(([name, value]) => (
        <div key={name} className={styles.row}>
          <dt className={styles.name}>{name}</dt>
          <dd className="selectable">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
