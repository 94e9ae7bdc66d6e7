import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert, type LucideIcon } from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import pane from "../../components/pane.module.css";
import { VirtualList } from "../../components/rows/VirtualList";
import { CollapseButton } from "../../components/Split";
import type { ConnectionView, ServerId, StreamLine, StreamStatus } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count } from "../../lib/format";
import { useNow } from "../../lib/useNow";
import { wireActions } from "../../state/actions/wire";
import { useActions } from "../../state/hooks";
import styles from "./connection.module.css";
import { listenerOf, noStreamWords, streamFacts, streamName, streamWords, type Tone } from "./connectionWords";

const LOOKS: Readonly<Record<Tone, readonly [icon: LucideIcon, colour: string]>> = {
  quiet: [CircleDashed, "muted"],
  ok: [CircleCheck, "ok"],
  busy: [LoaderCircle, "muted"],
  warn: [TriangleAlert, "warn"],
  bad: [CircleX, "bad"],
};

/** The background stream and the other open streams, with their states. */
export function Streams({ connection, ready }: { connection: ConnectionView; ready: boolean }) {
  const listener = listenerOf(connection);
  return (
    <div className="stack gap12">
      {!listener && <p className={styles.quiet}>{ready ? noStreamWords(connection) : "No stream is open."}</p>}
      {connection.streams.map((stream) => (
        <Stream key={stream.id} server={connection.server} stream={stream} />
      ))}
    </div>
  );
}

function Stream({ server, stream }: { server: ServerId; stream: StreamStatus }) {
  const now = useNow(500, stream.state === "waiting");
  const { text, tone } = streamWords(stream, now);
  const [Icon, colour] = LOOKS[tone];
  return (
    <section className={styles.stream} aria-label={streamName(stream)}>
      <div className={styles.streamLine}>
        <h3 className="normal medium">{streamName(stream)}</h3>
        <span className={cx("inlineFlex alignBaseline gapIcon digits", colour)}>
          <Icon size={14} aria-hidden className="rigid selfCenter" />
          {text}
        </span>
      </div>
      <p className={styles.quiet}>{streamFacts(stream)}</p>
      <StreamActions server={server} stream={stream} />
    </section>
  );
}

/** Actions on a broken stream. */
export function StreamActions({ server, stream }: { server: ServerId; stream: StreamStatus }) {
  const actions = useActions();
  if (stream.state !== "waiting" && stream.state !== "resuming") return null;
  return (
    <div className="wraps gap8 flexed">
      <Button
        small
        disabled={stream.state === "resuming"}
        onClick={() => void actions.command("reconnect_stream", { server, stream: stream.id })}
      >
        Reconnect now
      </Button>
      <Button small kind="quiet" onClick={() => void actions.command("give_up_stream", { server, stream: stream.id })}>
        Stop reconnecting
      </Button>
    </div>
  );
}

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
