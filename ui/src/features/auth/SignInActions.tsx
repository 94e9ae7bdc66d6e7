import { KeyRound, LogOut, RefreshCw, Square } from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { Confirm } from "../../components/Confirm";
import type { AuthStatus } from "../../ipc/bindings";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useServer } from "../../state/hooks";
import styles from "./auth.module.css";
import { isBusy, isSigningIn, refreshReason, signOutWords } from "./authWords";

/** Buttons for the sign-in. */
export function SignInActions({ auth }: { auth: AuthStatus }) {
  const { server, grant } = auth;
  const actions = useActions();
  const [leaving, setLeaving] = useState(false);
  const under = isSigningIn(auth);
  const reason = useRefreshReason(auth);
  return (
    <>
      <div className="wrap gap8">
        {under ? (
          <Button small icon={Square} onClick={() => void actions.get(signInActions).cancelSignIn(server)}>
            Cancel sign-in
          </Button>
        ) : (
          <Button
            small
            kind={grant ? "plain" : "primary"}
            icon={KeyRound}
            onClick={() => void actions.command("sign_in", { server })}
          >
            {grant ? "Sign in again" : "Sign in"}
          </Button>
        )}
        {grant && (
          <>
            <Button
              small
              icon={RefreshCw}
              disabled={reason !== null || isBusy(auth)}
              title={reason ?? undefined}
              onClick={() => void actions.command("refresh_token", { server })}
            >
              Refresh now
            </Button>
            <Button small icon={LogOut} aria-expanded={leaving} onClick={() => setLeaving(!leaving)}>
              Sign out
            </Button>
          </>
        )}
      </div>
      {grant && reason !== null && <p className="note digits">{reason}</p>}
      {leaving && grant && (
        <Confirm
          role="group"
          label="Sign out?"
          action="Sign out"
          keep="Stay signed in"
          onConfirm={() => {
            setLeaving(false);
            void actions.command("sign_out", { server });
          }}
          onKeep={() => setLeaving(false)}
        >
          {signOutWords(grant)}
        </Confirm>
      )}
    </>
  );
}

/** Reason why a new token needs the user; `null` if it does not. */
function useRefreshReason({ server, grant }: AuthStatus): string | null {
  const transport = useServer(server)?.config.transport;
  return refreshReason(grant, transport?.type === "http" ? transport.auth : null);
}

/** Faults of the token that a tester causes on purpose. */
export function Testing({ auth }: { auth: AuthStatus }) {
  const { server, grant, wrong_token } = auth;
  const actions = useActions();
  const renewable = useRefreshReason(auth) === null;
  return (
    <>
      <div className="wrap gap4x12">
        <p className={styles.testWords}>
          <span>Treat the token as expired</span>
          <span className="note digits">
            {grant === null
              ? "There is no token."
              : renewable
                ? "The next request gets a new token first."
                : "The next request asks you to sign in."}
          </span>
        </p>
        <Button small disabled={grant === null} onClick={() => void actions.command("expire_token", { server })}>
          Expire token now
        </Button>
      </div>
      <div className="wrap gap4x12">
        <Checkbox
          label="Send an invalid token with the next request"
          checked={wrong_token}
          disabled={grant === null}
          onChange={(wrong) => void actions.command("send_wrong_token", { server, wrong })}
        />
      </div>
    </>
  );
}
