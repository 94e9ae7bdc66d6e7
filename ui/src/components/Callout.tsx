import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./Callout.module.css";
import { IconButton } from "./IconButton";

export interface CalloutProps {
  level: "info" | "ok" | "warning" | "error";
  title?: ReactNode;
  actions?: ReactNode;
  onDismiss?: (() => void) | undefined;
  /** `alert` or `status` where it appears in answer to something the user did. */
  role?: "alert" | "status" | undefined;
  children?: ReactNode;
}

const icons = { info: Info, ok: CircleCheck, warning: TriangleAlert, error: CircleAlert };
const words = { info: "Note", ok: "Done", warning: "Warning", error: "Error" };

export function Callout({ level, title, actions, onDismiss, role, children }: CalloutProps) {
  const Icon = icons[level];
  return (
    <div className={cx(styles.callout, styles[level])} role={role}>
      <Icon size={16} className={styles.icon} role="img" aria-label={words[level]} />
      <div className="selectable grow">
        {title !== undefined && <p className={styles.title}>{title}</p>}
        {children}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss && <IconButton label="Dismiss" icon={X} small onClick={onDismiss} />}
    </div>
  );
}
