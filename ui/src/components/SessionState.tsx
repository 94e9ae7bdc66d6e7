import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert } from "lucide-react";

import type { HealthCode, HealthProblem, SessionView } from "../ipc/bindings";
import { cx } from "../lib/cx";
import styles from "./SessionState.module.css";

/** A connection that is open, and not as it should be. */
const IMPAIRED: Partial<Record<HealthCode, string>> = {
  request_failed: "No response",
  stream_lost: "No notifications",
  stream_over: "No notifications",
  reopening: "Reopening…",
};

/** The state of a connection in one or two words. */
export function stateWord(session: SessionView | undefined, health: HealthProblem | null = null): string {
  switch (session?.phase) {
    case "connecting":
      return "Connecting…";
    case "ready":
      if (health?.level === "unhealthy")
        return health.code === "session_rejected" ? "Session expired" : "Not reachable";
      return health ? (IMPAIRED[health.code] ?? "Impaired") : "Connected";
    case "closing":
      return "Disconnecting…";
    case "failed":
      return session.identity && session.closed ? "Connection lost" : "Failed";
    case "idle":
    case undefined:
      return session && session.generation > 0 ? "Disconnected" : "Not connected";
  }
}

const looks = {
  idle: { icon: CircleDashed, style: styles.idle },
  connecting: { icon: LoaderCircle, style: styles.busy },
  ready: { icon: CircleCheck, style: styles.ready },
  closing: { icon: CircleX, style: styles.idle },
  failed: { icon: CircleAlert, style: styles.failed },
};

const unwell = {
  degraded: { icon: TriangleAlert, style: styles.degraded },
  unhealthy: looks.failed,
};

export interface SessionStateProps {
  session: SessionView | undefined;
  /** Health problem of an open connection. */
  health: HealthProblem | null;
  /** Shows the icon alone; the word stays for assistive technology. */
  iconOnly?: boolean;
}

/** The state of a connection as icon and word, never as colour alone. */
export function SessionState({ session, health, iconOnly = false }: SessionStateProps) {
  const { icon: Icon, style } =
    session?.phase === "ready" && health ? unwell[health.level] : looks[session?.phase ?? "idle"];
  return (
    <span
      className={cx("inlineRow gap4 small unbroken", style)}
      data-state={stateWord(session, health)}
      data-tip={health?.sentence}
    >
      <Icon size={14} aria-hidden className={styles.icon} />
      <span className={iconOnly ? "visuallyHidden" : undefined}>{stateWord(session, health)}</span>
    </span>
  );
}
