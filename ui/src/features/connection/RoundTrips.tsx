import type { MethodStats } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { duration, number } from "../../lib/format";
import styles from "./connection.module.css";

/** How long the answers to each method took. */
export function RoundTrips({ stats }: { stats: readonly MethodStats[] }) {
  if (stats.length === 0) return <p className={styles.quiet}>No responses yet.</p>;
  return (
    <div className={styles.tableScroller} tabIndex={0} role="group" aria-label="Latency by method" data-focus="inset">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col">Count</th>
            <th scope="col">Failed</th>
            <th scope="col">Min</th>
            <th scope="col">Median</th>
            <th scope="col" title="95% of the requests took at most this long">
              p95
            </th>
            <th scope="col">Max</th>
          </tr>
        </thead>
        <tbody>
          {stats.map((row) => (
            <tr key={row.method}>
              <th scope="row">
                <code>{row.method}</code>
              </th>
              <td>{number(row.count)}</td>
              <td className={cx(row.failed > 0 && styles.badText)}>{number(row.failed)}</td>
              <td>{duration(row.min_micros)}</td>
              <td>{duration(row.median_micros)}</td>
              <td>{duration(row.p95_micros)}</td>
              <td>{duration(row.max_micros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>Median and p95 cover the last 512 requests.</p>
    </div>
  );
}
