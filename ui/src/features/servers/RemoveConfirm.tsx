import { useEffect, useRef } from "react";

import { Button } from "../../components/Button";
import type { ServerId } from "../../ipc/bindings";
import { useActions, useServer } from "../../state/hooks";
import styles from "./RemoveConfirm.module.css";

/** Asks once, in place, before a server and its history go. */
export function RemoveConfirm({ server, onDone }: { server: ServerId; onDone: () => void }) {
  const view = useServer(server);
  const { removeServer } = useActions();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  if (!view) return null;
  return (
    <div
      className={styles.confirm}
      role="alertdialog"
      aria-label={`Remove ${view.config.name}?`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <p>
        Remove “{view.config.name}”, its runs, its log and its secrets? A running connection is ended. This cannot be
        undone.
      </p>
      <div className={styles.buttons}>
        <Button
          small
          kind="danger"
          onClick={() => {
            onDone();
            void removeServer(server);
          }}
        >
          Remove
        </Button>
        <Button ref={keep} small onClick={onDone}>
          Keep
        </Button>
      </div>
    </div>
  );
}
