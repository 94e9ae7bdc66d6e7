import { useState } from "react";

import type { MethodStats, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { duration, number } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { visibleText } from "../../lib/visible";
import styles from "./connection.module.css";
import latency from "./latency.module.css";
import { LatencyCharts } from "./LatencyCharts";

const keyOf = ({ method, tool }: MethodStats): string => `${method}\n${tool ?? ""}`;

/** Response times by method and tool, with charts of the chosen one. */
export function RoundTrips({ server, stats }: { server: ServerId; stats: readonly MethodStats[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (stats.length === 0) return <p className={styles.quiet}>No responses yet.</p>;
  // Tools are listed below their method.
  const methods = stats.filter(({ tool }) => tool === null);
  const rows = methods.flatMap((row) => [
    row,
    ...stats.filter(({ method, tool }) => tool !== null && method === row.method),
  ]);
  const shown =
    rows.find((row) => keyOf(row) === chosen) ?? rows.find(({ method }) => method === "tools/call") ?? rows[0];
  return (
    <>
      <div className={styles.tableScroller} {...scrollable("Latency by method")}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Count</th>
              <th scope="col">Failed</th>
              <th scope="col" className={styles.min}>
                Min
              </th>
              <th scope="col">Median</th>
              <th scope="col" data-tip="95% of the requests took at most this long">
                p95
              </th>
              <th scope="col">Max</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                <th scope="row">
                  <button
                    type="button"
                    className={cx(latency.row, row.tool !== null && latency.tool)}
                    aria-pressed={row === shown}
                    data-tip="Show distribution and history"
                    onClick={() => setChosen(keyOf(row))}
                  >
                    <code>{visibleText(row.tool ?? row.method)}</code>
                  </button>
                </th>
                <td>{number(row.count)}</td>
                <td className={cx(row.failed > 0 && "bad")}>{number(row.failed)}</td>
                <td className={styles.min}>{duration(row.min_micros)}</td>
                <td>{duration(row.median_micros)}</td>
                <td>{duration(row.p95_micros)}</td>
                <td>{duration(row.max_micros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="note breakable padTop4">
        Median, p95 and the charts cover the last 512 requests. The duration of a call is the time between its request
        and its response in the wire log, excluding the time that the server waited for your response. A run of several
        requests lasts from the first request to the last response.
      </p>
      {methods.some(({ method }) => method === "server/discover") && (
        <p className="note breakable padTop4">
          An error in response to <code>server/discover</code> reveals the supported versions and does not count as
          failed.
        </p>
      )}
      {shown && <LatencyCharts server={server} row={shown} />}
    </>
  );
}
