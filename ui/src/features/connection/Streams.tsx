import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert, type LucideIcon } from "lucide-react";

import { Button } from "../../components/Button";
import type { ConnectionView, ServerId, StreamStatus } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { useNow } from "../../lib/useNow";
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
