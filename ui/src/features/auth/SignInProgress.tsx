import { Spinner } from "../../components/Spinner";
import type { ServerId } from "../../ipc/bindings";
import { useAuth } from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import { SignInCard } from "./SignInCard";
import { isBusy, stateSentence } from "./authWords";

/** Sign-in that a connection waits for: the card, or its progress. */
export function SignInProgress({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  if (!auth) return null;
  if (waitingSignIn(auth) !== null) return <SignInCard server={server} />;
  if (!isBusy(auth)) return null;
  return <Spinner label={stateSentence(auth)} />;
}
