import { CircleAlert, Hourglass, Pause, TriangleAlert } from "lucide-react";

import { Button } from "../../components/Button";
import { HelpButton } from "../../components/HelpButton";
import { Prose } from "../../components/Prose";
import type { ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { useNow } from "../../lib/useNow";
import { useActions, useConnection, useHealth, useServerUi } from "../../state/hooks";
import styles from "./connection.module.css";
import { countdown, delayText, listenerOf } from "./connectionWords";
import { useBannerCount } from "./useBannerCount";

/**
 * Worst problem of the connection, beside the server's name in place of the address, so that nothing moves when it
 * appears or disappears. The Connection tab lists all problems.
 */
export function ConnectionBanner({ server }: { server: ServerId }) {
  const connection = useConnection(server);
  const health = useHealth(server);
  const tab = useServerUi(server, (ui) => ui.tab);
  const actions = useActions();
  const listener = connection ? listenerOf(connection) : undefined;
  const attempts = listener?.state === "waiting" ? listener : null;
  const now = useNow(500, attempts !== null);
  const count = useBannerCount(server);
  if (!connection || count === 0) return null;
  const { paused, answer_delay_ms, warnings } = connection;

  const tries = attempts
    ? ` Attempt ${attempts.attempt} of ${attempts.budget} ${countdown(attempts.next_at, now)}.`
    : "";
  const isBad = health?.level === "unhealthy";
  const fault = health
    ? null
    : paused
      ? {
          text: "Reading is paused: nothing from the server is read.",
          icon: Pause,
          end: "Resume reading",
          by: { type: "pause_reading", paused: false } as const,
        }
      : answer_delay_ms > 0
        ? {
            text: `Responses to the server are delayed by ${delayText(answer_delay_ms)}`,
            icon: Hourglass,
            end: "Remove the delay",
            by: { type: "delay_answers", millis: 0 } as const,
          }
        : null;
  const text = health?.sentence ?? fault?.text ?? warnings[0] ?? "";
  const Icon = isBad ? CircleAlert : (fault?.icon ?? TriangleAlert);
  return (
    <div className={cx(styles.banner, isBad && styles.bad)} role="group" aria-label="Connection warnings">
      <Icon size={14} aria-hidden className={isBad ? "bad" : "rigid warn"} />
      <span className={styles.bannerText} data-tip={`${text}${tries}`}>
        <span role="status">
          <Prose text={text} />
        </span>
        {health && tries}
        {count > 1 && ` (1 of ${count})`}
      </span>
      {health?.code === "stream_lost" && attempts && (
        <Button small onClick={() => void actions.command("reconnect_stream", { server, stream: attempts.id })}>
          Reconnect now
        </Button>
      )}
      {fault && (
        <Button small onClick={() => void actions.injectFault(server, fault.by)}>
          {fault.end}
        </Button>
      )}
      {health && (
        <span data-banner-help>
          <HelpButton about="connecting" code={health.code} sentence={health.sentence} />
        </span>
      )}
      {tab !== "connection" && (
        <Button small kind="quiet" onClick={() => actions.selectTab(server, "connection")}>
          Details
        </Button>
      )}
    </div>
  );
}
