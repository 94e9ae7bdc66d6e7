import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";

import type { BackendError } from "../ipc/backend";
import { cx } from "../lib/cx";
import styles from "./Callout.module.css";
import { IconButton } from "./Button";
import { Prose } from "./Prose";

export interface CalloutProps {
  level: "info" | "ok" | "warning" | "error";
  /** As text, a sentence of Sonde's own, like the content: see {@link Prose}. */
  title?: ReactNode;
  actions?: ReactNode;
  onDismiss?: (() => void) | undefined;
  /** `alert` or `status` if it appears in response to an action of the user. */
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
        {title !== undefined && <p className="strong">{proseOf(title)}</p>}
        {proseOf(children)}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss && <IconButton label="Dismiss" icon={X} small onClick={onDismiss} />}
    </div>
  );
}

const proseOf = (node: ReactNode): ReactNode => (typeof node === "string" ? <Prose text={node} /> : node);

export interface ErrorCalloutProps extends Pick<CalloutProps, "role"> {
  readonly error: Pick<BackendError, "message" | "detail">;
  readonly level?: CalloutProps["level"];
}

/** A failed command, with its technical detail. */
export function ErrorCallout({ error, level = "error", role }: ErrorCalloutProps) {
  return (
    <Callout level={level} role={role} title={error.message}>
      {error.detail}
    </Callout>
  );
}
