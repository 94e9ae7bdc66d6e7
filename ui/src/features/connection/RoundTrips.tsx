import { useState } from "react";

import { drawing } from "../../components/chart/drawing";
import { PICTURE, Picture } from "../../components/chart/Picture";
import type { MethodStats, RoundTrip, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count, duration, number } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { visibleText } from "../../lib/visible";
import { useFetched } from "../../state/queries";
import styles from "./connection.module.css";
import { course, distribution } from "./latency";
import latency from "./latency.module.css";

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

const { width: WIDTH, height: HEIGHT } = PICTURE;

/** Charts of the round trips of one method or tool. The table above has the same numbers. */
function LatencyCharts({ server, row }: { server: ServerId; row: MethodStats }) {
  const { method, tool } = row;
  const fetched = useFetched(`${server}\n${method}\n${tool ?? ""}`, `${drawing(row.count)}`, (backend) =>
    backend.call("round_trips", { server, method, tool }),
  );
  const trips = fetched.value ?? [];
  if (trips.length === 0) return null;
  return (
    <div className={latency.charts}>
      <Distribution trips={trips} row={row} name={visibleText(tool ?? method)} />
      <Course trips={trips} name={visibleText(tool ?? method)} />
    </div>
  );
}

function Distribution({ trips, row, name }: { trips: readonly RoundTrip[]; row: MethodStats; name: string }) {
  const bars = distribution(trips);
  const most = Math.max(...bars.map((bar) => bar.count));
  // Limits the width of few bars.
  const width = Math.min(WIDTH / bars.length, WIDTH / 8);
  const left = (WIDTH - width * bars.length) / 2;
  const says = `Distribution of ${count(trips.length, "duration", "durations")}: median ${duration(row.median_micros)}, 95% at most ${duration(row.p95_micros)}`;
  return (
    <Picture
      title={
        <>
          Distribution of <code>{name}</code>
        </>
      }
      says={says}
      from={duration(bars[0]?.from ?? 0)}
      to={duration(bars.at(-1)?.to ?? 0)}
      stretched
    >
      {bars.map((bar, at) => (
        <rect
          key={bar.from}
          className="fillAccent"
          x={left + at * width}
          width={Math.max(1, width - 1)}
          y={HEIGHT - (bar.count / most) * HEIGHT}
          height={(bar.count / most) * HEIGHT}
          data-tip={`${duration(bar.from)} to ${duration(bar.to)}: ${count(bar.count, "request", "requests")}`}
        />
      ))}
    </Picture>
  );
}

function Course({ trips, name }: { trips: readonly RoundTrip[]; name: string }) {
  const most = Math.max(...trips.map((trip) => trip.micros));
  const failed = trips.filter((trip) => trip.failed).length;
  const [first, last] = [clockTime(trips[0]?.at ?? 0), clockTime(trips.at(-1)?.at ?? 0)];
  const says = `Durations from ${first} to ${last}, at most ${duration(most)}; ${failed} failed`;
  return (
    <Picture
      title={
        <>
          <code>{name}</code> over time
        </>
      }
      remark={`up to ${duration(most)}`}
      says={says}
      from={first}
      to={last}
      margin={4}
    >
      {course(trips).map(({ x, y, failed: bad }, at) => {
        const [left, top] = [x * WIDTH, (1 - y) * HEIGHT];
        return bad ? (
          // Distinguished by shape, not by colour alone.
          <path key={at} className={latency.failed} d={`M${left - 3} ${top - 3}l6 6m0 -6l-6 6`} />
        ) : (
          <circle key={at} className="fillAccent" cx={left} cy={top} r={2} />
        );
      })}
    </Picture>
  );
}
