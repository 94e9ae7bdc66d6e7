import { ChevronDown, ChevronRight } from "lucide-react";
import { useId } from "react";

import type { ServerId } from "../../ipc/bindings";
import { useActions, useAuth, useServerUi } from "../../state/hooks";
import styles from "./auth.module.css";
import { SignInCard } from "./SignInCard";

/** The sign-in that waits for the user, above whatever else is shown of the server. Can be folded away. */
export function SignInBand({ server }: { server: ServerId }) {
  const signIn = useAuth(server)?.prompt?.url;
  const folded = useServerUi(server, (ui) => ui.signInFolded) === signIn;
  const { foldSignIn } = useActions();
  const id = useId();
  if (signIn === undefined) return null;
  const Chevron = folded ? ChevronRight : ChevronDown;
  return (
    <section className={styles.band} aria-label="Sign-in">
      <button
        type="button"
        className={styles.fold}
        aria-expanded={!folded}
        aria-controls={folded ? undefined : id}
        data-focus="inset"
        onClick={() => foldSignIn(server, folded ? null : signIn)}
      >
        <Chevron size={14} aria-hidden />A sign-in waits for you
      </button>
      {!folded && (
        <div
          id={id}
          className={styles.bandBody}
          tabIndex={0}
          role="group"
          aria-label="What is asked for"
          data-focus="inset"
        >
          <SignInCard server={server} />
        </div>
      )}
    </section>
  );
}
