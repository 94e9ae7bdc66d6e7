import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "./Button";
import styles from "./Confirm.module.css";

export interface ConfirmProps {
  /** Accessible name, as a server request. */
  readonly label: string;
  readonly role?: "alertdialog" | "group";
  /** Names the deed. */
  readonly action: string;
  /** Names what happens instead; has the focus. */
  readonly keep: string;
  readonly onConfirm: () => void;
  /** Also told by Esc. */
  readonly onKeep: () => void;
  /** What goes when it is confirmed. */
  readonly children: ReactNode;
}

/** Asks once, in place, before something goes. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { label, role = "alertdialog", action, keep, onConfirm, onKeep, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div
      className={styles.confirm}
      role={role}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onKeep();
      }}
    >
      <p className={styles.words}>{children}</p>
      <div className={styles.buttons}>
        <Button small kind="danger" onClick={onConfirm}>
          {action}
        </Button>
        <Button ref={button} small onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </div>
  );
}
