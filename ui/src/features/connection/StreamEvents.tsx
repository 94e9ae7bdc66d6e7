import { useState } from "react";

import { Button } from "../../components/Button";
import pane from "../../components/pane.module.css";
import { CollapseButton } from "../../components/Split";
import { VirtualList } from "../../components/rows/VirtualList";
import type { ConnectionView, ServerId, StreamLine } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count } from "../../lib/format";
import { wireActions } from "../../state/actions/wire";
import { useActions } from "../../state/hooks";
import styles from "./connection.module.css";

const ROW = 24;

const labels: Readonly<Record<string, string>> = {
  opened: "Opened",
  event_id: "Event ID",
  retry_time: "Retry time",
  lost: "Lost",
  waiting: "Waiting",
  resuming: "Resuming",
  resumed: "Resumed",
  over: "Ended",
  reopening: "Reopening",
};

/** Log of the streams. Follows its end while the end is visible. */
export function StreamEvents({ server, connection }: { server: ServerId; connection: ConnectionView }) {
  const { lines, lines_total, generation } = connection;
  const { showLogEntry } = useActions().get(wireActions);
  const [chosen, setChosen] = useState<{ readonly generation: number; readonly number: number } | null>(null);
  const at = chosen?.generation === generation ? lines.findIndex((line) => line.number === chosen.number) : -1;
  const line = lines[at];
  const show = (shown: StreamLine | undefined): void => {
    if (shown?.seq !== null && shown !== undefined) showLogEntry(server, shown.seq);
  };
  return (
    <section className="fill" aria-label="Stream events">
      <div className={cx(pane.partHead, styles.eventsHead)}>
        <h2 className="heading stretch unbroken">Stream events</h2>
        <span className={styles.quiet}>
          {lines_total > lines.length
            ? `newest ${lines.length} of ${count(lines_total, "event", "events")}`
            : lines_total > 0
              ? count(lines_total, "event", "events")
              : ""}
        </span>
        <CollapseButton />
      </div>
      <div className="fit">
        {lines.length === 0 ? (
          <p className="pad8x12 muted">No stream has been opened yet.</p>
        ) : (
          <VirtualList
            key={generation}
            label="Stream events"
            count={lines.length}
            rowHeight={ROW}
            followEnd
            dropped={(lines[0]?.number ?? 1) - 1}
            selected={at < 0 ? null : at}
            onSelect={(index) => {
              const picked = lines[index];
              if (picked) setChosen({ generation, number: picked.number });
            }}
            onActivate={(index) => show(lines[index])}
            render={(index) => <EventRow line={lines[index]} />}
          />
        )}
      </div>
      <div className={styles.eventsFoot}>
        <span className={styles.eventWhole} data-tip={line?.sentence}>
          {line ? line.sentence : lines.length > 0 ? "Select an event to see its details." : ""}
        </span>
        <Button small disabled={line === undefined || line.seq === null} onClick={() => show(line)}>
          Show in wire log
        </Button>
      </div>
    </section>
  );
}

function EventRow({ line }: { line: StreamLine | undefined }) {
  if (!line) return null;
  return (
    <div className={styles.event}>
      <span className={styles.time}>{clockTime(line.at)}</span>
      <span className={styles.eventStream}>#{line.stream}</span>
      <span className={styles.eventCode} data-code={line.code}>
        {labels[line.code] ?? line.code}
      </span>
      <span className="ellipsis stretch">{line.sentence}</span>
    </div>
  );
}
