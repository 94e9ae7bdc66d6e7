import { useEffect, useRef } from "react";

import { Button } from "../../components/Button";
import type { GrantView, ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import styles from "./auth.module.css";
import { signOutWords } from "./words";

export interface SignOutConfirmProps {
  server: ServerId;
  grant: GrantView;
  onDone: () => void;
}

/** Asks once, in place, before a token is deleted. */
export function SignOutConfirm({ server, grant, onDone }: SignOutConfirmProps) {
  const { signOut } = useActions();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div
      className={styles.confirm}
      role="group"
      aria-label="Sign out?"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <p>{signOutWords(grant)}</p>
      <div className={styles.buttons}>
        <Button
          small
          kind="danger"
          onClick={() => {
            onDone();
            void signOut(server);
          }}
        >
          Sign out
        </Button>
        <Button ref={keep} small onClick={onDone}>
          Stay signed in
        </Button>
      </div>
    </div>
  );
}
