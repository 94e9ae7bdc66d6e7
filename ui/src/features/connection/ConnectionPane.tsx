import { Gauge } from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { Empty } from "../../components/Empty";
import pane from "../../components/pane.module.css";
import { Section } from "../../components/Section";
import { SessionState } from "../../components/SessionState";
import { Split } from "../../components/Split";
import { Warnings } from "../../components/Warnings";
import type { ServerId } from "../../ipc/bindings";
import { duration } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { useIsSmall } from "../../lib/useMedia";
import { useActions, useConnection, useSession, useSlice } from "../../state/hooks";
import styles from "./connection.module.css";
import { connectionSlice } from "./connectionUi";
import { Faults } from "./Faults";
import { Negotiated } from "./Negotiated";
import { Roots } from "./Roots";
import { RoundTrips } from "./RoundTrips";
import { StreamEvents } from "./StreamEvents";
import { Streams } from "./Streams";
import { Subscriptions } from "./Subscriptions";

/** Connection of a server: its protocol, its streams, its latency and its faults. */
export function ConnectionPane({ server }: { server: ServerId }) {
  const connection = useConnection(server);
  const session = useSession(server);
  const [{ faultsOpen }, setUi] = useSlice(server, connectionSlice);
  const actions = useActions();
  const small = useIsSmall();
  if (!session) return null;
  const ready = session.phase === "ready";

  if (!connection) {
    return (
      <Empty
        title={session.phase === "connecting" ? "Connecting" : "Not connected yet"}
        actions={
          session.phase === "idle" || session.phase === "failed" ? (
            <Button kind="primary" onClick={() => void actions.connect(server)}>
              Connect
            </Button>
          ) : undefined
        }
      >
        Connect to see the negotiated protocol, the streams and the latency.
      </Empty>
    );
  }
  // Transports with a single channel have no streams.
  const { transport, lines } = connection;
  const hasStreams = lines.length > 0 || (transport !== "stdio" && transport !== "web_socket");
  return (
    <Split
      key={small ? "below" : "beside"}
      name={small ? "streams_below" : "streams"}
      label="stream events"
      sized="second"
      orientation={small ? "vertical" : "horizontal"}
      unit="%"
      standard={small ? 40 : 46}
      least={small ? 120 : 260}
      leastRest={small ? 120 : 300}
      only={hasStreams ? null : "first"}
      first={
        <div className={pane.left} data-scroll="Connection" {...scrollable("Connection")}>
          {!ready && (
            <p className={styles.past}>
              <SessionState session={session} health={null} />
              <span>This is from the last connection.</span>
            </p>
          )}
          {connection.warnings.length > 0 && (
            <div className={styles.warnings}>
              <Warnings warnings={connection.warnings} />
            </div>
          )}
          <Section title="Streams">
            <Streams connection={connection} ready={ready} />
          </Section>
          <Section title="Negotiated">
            <Negotiated server={server} connection={connection} />
          </Section>
          <Section title="Roots">
            <Roots answer={connection.roots} />
          </Section>
          <Section title="Resource subscriptions">
            <Subscriptions server={server} />
          </Section>
          <Section title="Latency" actions={<Ping server={server} ready={ready} />}>
            <RoundTrips server={server} stats={connection.stats} />
          </Section>
          <Section title="Fault injection" hideTitle>
            <Disclosure summary="Fault injection" open={faultsOpen} onToggle={(open) => setUi({ faultsOpen: open })}>
              <Faults server={server} connection={connection} ready={ready} />
            </Disclosure>
          </Section>
        </div>
      }
      second={hasStreams && <StreamEvents server={server} connection={connection} />}
    />
  );
}

function Ping({ server, ready }: { server: ServerId; ready: boolean }) {
  const micros = useSession(server)?.ping_micros ?? null;
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const ping = async (): Promise<void> => {
    setBusy(true);
    await actions.command("ping", { server });
    setBusy(false);
  };
  return (
    <>
      <span className={styles.quiet} role="status">
        {busy ? "Waiting for the response…" : micros === null ? "" : `Last ping ${duration(micros)}`}
      </span>
      <Button small icon={Gauge} disabled={!ready || busy} onClick={() => void ping()}>
        Ping
      </Button>
    </>
  );
}
