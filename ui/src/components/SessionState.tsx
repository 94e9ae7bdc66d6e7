import * as icons from "lucide-react";

import type { HealthCode, HealthProblem, SessionView } from "../ipc/bindings";
import { cx } from "../lib/cx";

/** Words for an open connection with a health problem. */
const IMPAIRED: Partial<Record<HealthCode, string>> = {
  request_failed: "No response",
  stream_lost: "No notifications",
  stream_over: "No notifications",
  reopening: "Reopening…",
};

/** Describes the state of a connection in one or two words. */
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

interface Look {
  readonly icon: icons.LucideIcon;
  readonly style: string;
  readonly turns?: boolean;
}

const looks: Readonly<Record<"idle" | "connecting" | "ready" | "closing" | "failed", Look>> = {
  idle: { icon: icons.CircleDashed, style: "muted" },
  connecting: { icon: icons.LoaderCircle, style: "accent", turns: true },
  ready: { icon: icons.CircleCheck, style: "ok" },
  closing: { icon: icons.CircleX, style: "muted" },
  failed: { icon: icons.CircleAlert, style: "bad" },
};

const unwell: Readonly<Record<HealthProblem["level"], Look>> = {
  degraded: { icon: icons.TriangleAlert, style: "warn" },
  unhealthy: looks.failed,
};

export interface SessionStateProps {
  session: SessionView | undefined;
  /** Health problem of an open connection. */
  health: HealthProblem | null;
  /** Shows the icon alone; assistive technology still gets the word. */
  iconOnly?: boolean;
}

/** Shows the state of a connection as icon and word, never by colour alone. */
export function SessionState({ session, health, iconOnly = false }: SessionStateProps) {
  const {
    icon: Icon,
    style,
    turns = false,
  } = session?.phase === "ready" && health ? unwell[health.level] : looks[session?.phase ?? "idle"];
  return (
    <span
      className={cx("inlineRow gap4 small unbroken", style)}
      data-state={stateWord(session, health)}
      data-tip={health?.sentence}
    >
      <Icon size={14} aria-hidden className={turns ? "turns" : undefined} />
      <span className={iconOnly ? "visuallyHidden" : undefined}>{stateWord(session, health)}</span>
    </span>
  );
}
