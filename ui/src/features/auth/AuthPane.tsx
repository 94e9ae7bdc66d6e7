import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  KeyRound,
  LogOut,
  RefreshCw,
  Square,
  TriangleAlert,
} from "lucide-react";
import { useState } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Confirm } from "../../components/Confirm";
import { Disclosure } from "../../components/Disclosure";
import { Empty } from "../../components/Empty";
import { HelpButton } from "../../components/HelpButton";
import { Checkbox } from "../../components/Field";
import pane from "../../components/pane.module.css";
import { Sentence } from "../../components/Prose";
import { Section } from "../../components/Section";
import { Sentences } from "../../components/Sentences";
import { SpecButton } from "../../components/SpecButton";
import { Spinner } from "../../components/Spinner";
import type { AuthProblem, AuthStatus, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { scrollable } from "../../lib/scrollable";
import { useCoarseNow } from "../../lib/useNow";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useAuth, useServer } from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import { Account } from "./Account";
import styles from "./auth.module.css";
import {
  isBusy,
  isOver,
  isSigningIn,
  refreshReason,
  signOutWords,
  stateSentence,
  untouchedWords,
  waitingWords,
} from "./authWords";
import { isUntouched } from "./badgeWords";
import { SignInCard } from "./SignInCard";
import { Steps } from "./Steps";

/** Authentication of a server: the account, its actions, and all steps of the sign-in. */
export function AuthPane({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  if (!auth || isUntouched(auth)) return <Untouched server={server} />;
  return (
    <div className={cx(pane.pane, styles.pane)}>
      <div className={styles.left} data-scroll="Authentication" {...scrollable("Authentication")}>
        {waitingSignIn(auth) !== null && (
          <div className={styles.cardPlace}>
            <SignInCard server={server} />
          </div>
        )}
        <Section title="Account">
          <Standing auth={auth} />
          {auth.waiting > 0 && <p>{waitingWords(auth.waiting)}</p>}
          {auth.problem && <ProblemView problem={auth.problem} failed={auth.state === "failed"} />}
          {auth.grant?.kept === "memory" && (
            <Callout level="warning">
              The token is stored in memory only. You will have to sign in again after restarting Sonde.
            </Callout>
          )}
          <SignInActions auth={auth} />
          {auth.grant && <Account grant={auth.grant} />}
        </Section>
        <Section title="Testing">
          <Testing auth={auth} />
        </Section>
      </div>
      <div className={pane.right}>
        <Steps auth={auth} />
      </div>
    </div>
  );
}

function Untouched({ server }: { server: ServerId }) {
  const transport = useServer(server)?.config.transport;
  const actions = useActions();
  const draft = transport?.type === "http" ? transport.auth : null;
  const signsIn = draft === null || draft.type === "sign_in";
  return (
    <Empty
      title="Not signed in"
      actions={
        signsIn ? (
          <Button kind="primary" icon={KeyRound} onClick={() => void actions.command("sign_in", { server })}>
            Sign in
          </Button>
        ) : (
          <Button onClick={() => actions.openPanel({ type: "edit_server", server })}>Edit the server</Button>
        )
      }
    >
      {untouchedWords(draft)}
    </Empty>
  );
}

/** Sign-in state with an icon. */
function Standing({ auth }: { auth: AuthStatus }) {
  const now = useCoarseNow(auth.grant?.expires_at ?? null);
  if (isBusy(auth)) return <Spinner label={stateSentence(auth)} />;
  const over = auth.state === "signed_in" && isOver(auth, now);
  const failed = auth.state === "failed" && auth.problem?.code !== "cancelled";
  const waits = waitingSignIn(auth) !== null;
  const [Icon, look] = over
    ? [TriangleAlert, "warn"]
    : auth.state === "signed_in"
      ? [CircleCheck, "ok"]
      : failed
        ? [CircleAlert, "bad"]
        : [waits ? KeyRound : CircleDashed, undefined];
  return (
    <p className={cx("row gapIcon", look)}>
      <Icon size={14} aria-hidden className="rigid" />
      {stateSentence(auth, over)}
    </p>
  );
}

/** Problem of a sign-in that failed, or of one that succeeded, in plain words; the technical detail is collapsed. */
function ProblemView({ problem, failed }: { problem: AuthProblem; failed: boolean }) {
  // A cancellation by the user is not an error.
  const level = !failed ? "warning" : problem.code === "cancelled" ? "info" : "error";
  return (
    <Callout level={level} title={problem.title}>
      {problem.cause !== "" && <Sentence text={problem.cause} />}
      <Sentences of={problem.advice} />
      {problem.detail !== null && (
        <Disclosure summary="Technical details">
          <pre className="selectable asWritten">{problem.detail}</pre>
        </Disclosure>
      )}
      <div className="wrap muted gap4x8 marginTop4">
        <code>{problem.code}</code>
        <HelpButton about="authentication" code={problem.code} sentence={problem.title} />
        {problem.spec && <SpecButton spec={problem.spec} />}
      </div>
    </Callout>
  );
}

/** Buttons for the sign-in. */
function SignInActions({ auth }: { auth: AuthStatus }) {
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
function Testing({ auth }: { auth: AuthStatus }) {
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
