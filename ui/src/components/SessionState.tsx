import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from "lucide-react";

import type { SessionView } from "../ipc/bindings";
import { cx } from "../lib/cx";
import styles from "./SessionState.module.css";

/** The state of a connection in one or two words. */
export function stateWord(session: SessionView | undefined): string {
  switch (session?.phase) {
    case "connecting":
      return "Connecting…";
    case "ready":
      return "Connected";
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

export interface SessionStateProps {
  session: SessionView | undefined;
  /** The icon alone; the word stays for assistive technology. */
  iconOnly?: boolean;
}

/** The state of a connection as icon and word, never as colour alone. */
export function SessionState({ session, iconOnly = false }: SessionStateProps) {
  const { icon: Icon, style } = looks[session?.phase ?? "idle"];
  return (
    <span className={cx(styles.state, style)}>
      <Icon size={14} aria-hidden className={styles.icon} />
      <span className={iconOnly ? "visuallyHidden" : undefined}>{stateWord(session)}</span>
    </span>
  );
}
