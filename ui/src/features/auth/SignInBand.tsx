import { Band } from "../../components/Band";
import type { ServerId } from "../../ipc/bindings";
import { signInActions } from "../../state/actions/signingIn";
import { useActions, useAuth, useSliceValue } from "../../state/hooks";
import { signInSlice } from "../../state/slices/signIn";
import { waitingSignIn } from "../../state/signIn";
import styles from "./auth.module.css";
import { SignInCard } from "./SignInCard";

/** Foldable band for the sign-in that waits for the user, above everything else about the server. */
export function SignInBand({ server }: { server: ServerId }) {
  const signIn = waitingSignIn(useAuth(server));
  const folded = useSliceValue(server, signInSlice, (ui) => ui.folded) === signIn;
  const { foldSignIn } = useActions().get(signInActions);
  if (signIn === null) return null;
  return (
    <Band
      label="Sign-in"
      bodyLabel="Sign-in details"
      tone="warn"
      title="Waiting for sign-in"
      open={!folded}
      onToggle={() => foldSignIn(server, folded ? null : signIn)}
      bodyClass={styles.bandBody}
    >
      <SignInCard server={server} />
    </Band>
  );
}
