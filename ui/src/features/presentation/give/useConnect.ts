import type { ServerId } from "../../../ipc/bindings";
import { useActions } from "../../../state/hooks";
import type { Link } from "../../../state/stepLink";

/**
 * Returns the next action towards a connection: connects, asks for consent, or leaves the presentation for an action
 * that only the window offers.
 */
export function useConnect(server: ServerId, link: Link): () => void {
  const actions = useActions();
  return () => {
    switch (link) {
      case "unwell":
        return void actions.reconnect(server);
      case "failed":
      case "lost":
      case "off":
        return void actions.connectStep(server);
      case "confirm":
        return actions.give({ type: "check" });
      case "sign_in":
        actions.leavePresentation();
        return actions.showSignIn(server);
      case "incomplete":
        actions.leavePresentation();
        return void actions.connect(server);
      case "ready":
      case "connecting":
      case "gone":
        return undefined;
    }
  };
}
