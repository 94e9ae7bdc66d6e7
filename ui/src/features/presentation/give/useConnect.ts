import type { ServerId } from "../../../ipc/bindings";
import { signInActions } from "../../../state/actions/signingIn";
import { useActions } from "../../../state/hooks";
import type { Link } from "../../../state/stepLink";
import { presentationActions } from "../../../state/presentations";

/**
 * Returns the next action towards a connection: connects, asks for consent, or leaves the presentation for an action
 * that only the window offers.
 */
export function useConnect(server: ServerId, link: Link): () => void {
  const actions = useActions();
  const { connectStep, give, leavePresentation } = actions.get(presentationActions);
  return () => {
    switch (link) {
      case "unwell":
        return void actions.reconnect(server);
      case "failed":
      case "lost":
      case "off":
        return void connectStep(server);
      case "confirm":
        return give({ type: "check" });
      case "sign_in":
        leavePresentation();
        return actions.get(signInActions).showSignIn(server);
      case "incomplete":
        leavePresentation();
        return void actions.connect(server);
      case "ready":
      case "connecting":
      case "gone":
        return undefined;
    }
  };
}
