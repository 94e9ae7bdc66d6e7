import { drawing } from "../../components/chart/drawing";
import { Picture, PICTURE } from "../../components/chart/Picture";
import type { MethodStats, RoundTrip, ServerId } from "../../ipc/bindings";
import { clockTime, count, duration } from "../../lib/format";
import { visibleText } from "../../lib/visible";
import { useFetched } from "../../state/queries";
import { course, distribution } from "./latency";
import styles from "./latency.module.css";

const { width: WIDTH, height: HEIGHT } = PICTURE;

/** Charts of the round trips of one method or tool. The table above has the same numbers. */
export function LatencyCharts({ server, row }: { server: ServerId; row: MethodStats }) {
  const { method, tool } = row;
  const fetched = useFetched(`${server}\n${method}\n${tool ?? ""}`, `${drawing(row.count)}`, (backend) =>
    backend.call("round_trips", { server, method, tool }),
  );
  const trips = fetched.value ?? [];
  if (trips.length === 0) return null;
  return (
    <div className={styles.charts}>
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
          <path key={at} className={styles.failed} d={`M${left - 3} ${top - 3}l6 6m0 -6l-6 6`} />
        ) : (
          <circle key={at} className="fillAccent" cx={left} cy={top} r={2} />
        );
      })}
    </Picture>
  );
}
