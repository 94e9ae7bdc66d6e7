import type { ServerId } from "../../../ipc/bindings";
import { useActions } from "../../../state/hooks";
import type { Link } from "../../../state/stepLink";

/** Does what brings a server closer to being connected: connects, asks, or leaves for what only the window can do. */
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
