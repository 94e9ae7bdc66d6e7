import { useLayoutEffect, useRef, type ReactNode } from "react";

import { cx } from "../lib/cx";
import { Button } from "./Button";
import styles from "./Confirm.module.css";

export interface ConfirmProps {
  /** Accessible name. */
  readonly label: string;
  readonly role?: "alertdialog" | "group";
  /** Label of the confirming button. */
  readonly action: string;
  /** Label of the button that keeps things as they are. */
  readonly keep: string;
  /** Button with the initial focus: `keep`, unless confirming loses nothing that cannot be restored. */
  readonly first?: "keep" | "action";
  /** In the size of a presentation. */
  readonly large?: boolean;
  readonly onConfirm: () => void;
  /** Esc does the same. */
  readonly onKeep: () => void;
  /** Description of the loss. */
  readonly children: ReactNode;
}

/** Asks in place before something is deleted or lost. */
export function Confirm(props: ConfirmProps): ReactNode {
  const {
    label,
    role = "alertdialog",
    action,
    keep,
    first = "keep",
    large = false,
    onConfirm,
    onKeep,
    children,
  } = props;
  const size = large ? { large } : { small: true };
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <div
      className={cx(styles.confirm, first === "action" && styles.harmless)}
      role={role}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        // A key held down since before the question is not an answer.
        if (!event.repeat) onKeep();
      }}
    >
      <p className={styles.words}>{children}</p>
      <div className="wraps gap8 flexed">
        <Button
          {...size}
          ref={first === "action" ? button : undefined}
          kind={first === "action" ? "primary" : "danger"}
          onClick={onConfirm}
        >
          {action}
        </Button>
        <Button {...size} ref={first === "keep" ? button : undefined} onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </div>
  );
}
