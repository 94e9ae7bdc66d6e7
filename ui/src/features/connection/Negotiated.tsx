import type { ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Facts } from "../../components/Facts";
import { Prose } from "../../components/Prose";
import type { ConnectionView, Declaration, ServerId } from "../../ipc/bindings";
import { clockTime, count } from "../../lib/format";
import { wireActions } from "../../state/actions/wire";
import { declaredAs, declaredWords, isSame } from "../../state/declaration";
import { useActions, useIsReady, useServer } from "../../state/hooks";
import styles from "./connection.module.css";
import { eraWords, TRANSPORT_WORDS } from "./connectionWords";

function transportWords({ transport, http_version }: ConnectionView): string {
  if (transport === null) return "Not chosen yet";
  const words = TRANSPORT_WORDS[transport];
  return http_version === null ? words : `${words} over ${http_version}`;
}

/** Client capabilities declared to the server, if they or those of the next connect differ from the default. */
function declared(
  told: Declaration,
  settings: Declaration | undefined,
  ready: boolean,
  reconnect: () => void,
): ReactNode {
  const words = declaredWords(told);
  const next = ready && settings && !isSame(told, settings) ? declaredAs(settings) : null;
  if (words === null && next === null) return null;
  return (
    <span className="wrap gap8">
      {words === null ? declaredAs(told) : <Badge>{words}</Badge>}
      {next !== null && (
        <>
          <span className={styles.quiet}>From the next connect: {next}.</span>
          <Button small onClick={reconnect}>
            Reconnect
          </Button>
        </>
      )}
    </span>
  );
}

/** Protocol negotiated with the server, and the steps that led to it. */
export function Negotiated({ server, connection }: { server: ServerId; connection: ConnectionView }) {
  const actions = useActions();
  const { reconnect } = actions;
  const { showLogEntry } = actions.get(wireActions);
  const settings = useServer(server)?.config.declaration;
  const ready = useIsReady(server);
  const { era, revision, session_fingerprint, reopened, detection } = connection;
  const supported = connection.supported.filter((each) => each !== revision);
  return (
    <>
      <Facts
        items={{
          "Protocol mode": era === null ? "Unknown" : eraWords(era),
          "Protocol version": revision ?? "Not negotiated yet",
          "Also supports": supported.length > 0 && supported.join(", "),
          Transport: transportWords(connection),
          "Session ID": session_fingerprint !== null && (
            <span>
              <code>{session_fingerprint}</code> <span className={styles.quiet}>(fingerprint, not the ID)</span>
            </span>
          ),
          "Client capabilities": declared(connection.declaration, settings, ready, () => void reconnect(server)),
          Reinitialized:
            reopened > 0 && `${count(reopened, "time", "times")}, because the server no longer knew the session`,
        }}
      />
      <h3 className="small strong padTop4">Detection</h3>
      {detection.length === 0 ? (
        <p className={styles.quiet}>Not needed: the settings specify the protocol.</p>
      ) : (
        <ol className="stack gap4 noBullets">
          {detection.map((step, index) => (
            // Keyed by position, as a step may occur twice.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.step}>
              <span className={styles.time}>{clockTime(step.at)}</span>
              <span className="selectable">
                <Prose text={step.sentence} />{" "}
                {step.verdict !== null && (
                  <Badge tone="ok">{step.verdict === "handshake" ? "Handshake" : "Stateless"}</Badge>
                )}
              </span>
              {step.seq !== null && (
                <Button small kind="quiet" onClick={() => step.seq !== null && showLogEntry(server, step.seq)}>
                  Log entry {step.seq}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
