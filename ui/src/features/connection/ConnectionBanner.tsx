import { CircleAlert, Hourglass, Pause, TriangleAlert } from "lucide-react";

import { Button } from "../../components/Button";
import { HelpButton } from "../../components/HelpButton";
import { Prose } from "../../components/Prose";
import type { ServerId } from "../../ipc/bindings";
import { useNow } from "../../lib/useNow";
import { useActions, useConnection, useHealth, useIsReady, useServerUi } from "../../state/hooks";
import styles from "./connection.module.css";
import { countdown, delayText, listenerOf } from "./words";

/**
 * One line below the header as long as something is not as it should be: what is the matter with the
 * connection, standing warnings, and what the user disturbs on purpose.
 */
export function ConnectionBanner({ server }: { server: ServerId }) {
  const connection = useConnection(server);
  const ready = useIsReady(server);
  const health = useHealth(server);
  const tab = useServerUi(server, (ui) => ui.tab);
  const actions = useActions();
  const listener = connection ? listenerOf(connection) : undefined;
  const now = useNow(500, listener?.state === "waiting");
  if (!connection || !ready) return null;
  const { paused, answer_delay_ms, warnings } = connection;
  if (!health && !paused && answer_delay_ms === 0 && warnings.length === 0) return null;
  return (
    <div className={styles.banner} data-level={health?.level} role="group" aria-label="Connection warnings">
      {health && (
        <div className={styles.bannerItem}>
          {health.level === "unhealthy" ? (
            <CircleAlert size={14} aria-hidden className={styles.badText} />
          ) : (
            <TriangleAlert size={14} aria-hidden className={styles.warnIcon} />
          )}
          <span className={styles.bannerText}>
            <span role="status">
              <Prose text={health.sentence} />
            </span>
            {listener?.state === "waiting" &&
              ` Attempt ${listener.attempt} of ${listener.budget} ${countdown(listener.next_at, now)}.`}
          </span>
          {health.code === "stream_lost" && listener?.state === "waiting" && (
            <Button small onClick={() => void actions.command("reconnect_stream", { server, stream: listener.id })}>
              Reconnect now
            </Button>
          )}
          <HelpButton about="connecting" code={health.code} sentence={health.sentence} />
          {tab !== "connection" && (
            <Button small kind="quiet" onClick={() => actions.selectTab(server, "connection")}>
              Details
            </Button>
          )}
        </div>
      )}
      {warnings.map((warning) => (
        <div key={warning} className={styles.bannerItem}>
          <TriangleAlert size={14} aria-hidden className={styles.warnIcon} />
          <span className={styles.bannerText}>
            <Prose text={warning} />
          </span>
        </div>
      ))}
      {paused && (
        <div className={styles.bannerItem}>
          <Pause size={14} aria-hidden className={styles.warnIcon} />
          <span className={styles.bannerText}>Reading is paused: nothing from the server is read.</span>
          <Button small onClick={() => void actions.injectFault(server, { type: "pause_reading", paused: false })}>
            Resume reading
          </Button>
        </div>
      )}
      {answer_delay_ms > 0 && (
        <div className={styles.bannerItem}>
          <Hourglass size={14} aria-hidden className={styles.warnIcon} />
          <span className={styles.bannerText}>Responses to the server are delayed by {delayText(answer_delay_ms)}</span>
          <Button small onClick={() => void actions.injectFault(server, { type: "delay_answers", millis: 0 })}>
            Remove the delay
          </Button>
        </div>
      )}
    </div>
  );
}
