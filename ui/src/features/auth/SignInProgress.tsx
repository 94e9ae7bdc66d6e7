import { Spinner } from "../../components/Spinner";
import type { ServerId } from "../../ipc/bindings";
import { useAuth } from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import { SignInCard } from "./SignInCard";
import { isBusy, stateSentence } from "./words";

/** What signing in does while a connection waits for it: the card, or what is under way. */
export function SignInProgress({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  if (!auth) return null;
  if (waitingSignIn(auth) !== null) return <SignInCard server={server} />;
  if (!isBusy(auth)) return null;
  return <Spinner label={stateSentence(auth)} />;
}
