import type { ReactNode } from "react";

import styles from "./chart.module.css";
import { amount } from "./LineChart";
import type { Series } from "./series";

/** A bar for each name, as long as its value: names can be read whole, and the list says it in numbers too. */
export function Bars({ series, column }: { readonly series: Series; readonly column: Series["columns"][number] }) {
  const numbers = column.values.map((value) => value ?? 0);
  const least = Math.min(0, ...numbers);
  const span = Math.max(0, ...numbers) - least || 1;
  return (
    <ul className={styles.bars}>
      {column.values.map((value, at) => (
        <Bar key={series.labels[at]} label={series.labels[at] ?? ""} value={value} least={least} span={span} />
      ))}
    </ul>
  );
}

function Bar(props: {
  readonly label: string;
  readonly value: number | null;
  readonly least: number;
  readonly span: number;
}): ReactNode {
  const { label, value, least, span } = props;
  const from = Math.min(0, value ?? 0);
  return (
    <li className={styles.barRow}>
      <span className={styles.barName}>{label}</span>
      <span className={styles.barTrack} aria-hidden>
        <span
          className={styles.bar}
          style={{ left: `${((from - least) / span) * 100}%`, width: `${(Math.abs(value ?? 0) / span) * 100}%` }}
        />
      </span>
      <span className={styles.barValue}>{value === null ? "–" : amount(value)}</span>
    </li>
  );
}
