import { useCallback, useEffect } from "react";

import { Button } from "../components/Button";
import { Callout } from "../components/Callout";
import { useActions, useAppState } from "../state/hooks";

/**
 * Shows the servers or presentation of a link or file with which the app was opened. Waits while a panel is open:
 * nothing may change under a button that is about to be pressed.
 */
export function OfferedLink() {
  const offer = useAppState((state) => state.live.offer);
  const covered = useAppState(({ view }) => view.panel !== null);
  const actions = useActions();
  const show = useCallback(async (): Promise<void> => {
    const text = await actions.command("take_offer", {});
    if (typeof text === "string") actions.openPanel({ type: "import", text });
  }, [actions]);
  useEffect(() => {
    if (offer && !covered) void show();
  }, [offer, covered, show]);
  if (!offer || !covered) return null;
  return (
    <Callout
      level="info"
      role="status"
      title="A link or a file was opened with Sonde."
      actions={
        <>
          <Button small onClick={() => void show()}>
            Show what it adds
          </Button>
          <Button small kind="quiet" onClick={() => void actions.command("take_offer", {})}>
            Dismiss
          </Button>
        </>
      }
    />
  );
}
