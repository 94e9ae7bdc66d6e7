import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { PageAddress } from "../../components/PageAddress";
import { once } from "../../lib/once";
import { isWebAddress } from "../../lib/pages";
import { useActions } from "../../state/hooks";
import { Declining, type AnswerProps } from "./answering";

/** A page that the server asks the user to open. Nothing is fetched from it before that. */
export function PageAnswer({ address, busy, send }: AnswerProps & { readonly address: string }): ReactNode {
  const actions = useActions();
  const accept = (before?: () => Promise<boolean>): Promise<void> =>
    send({ type: "raw", result: '{"action":"accept"}' }, before);
  return (
    <div className="stack gap8 shrink">
      <PageAddress address={address} />
      <p className="note shrink breakable">
        The page opens in your browser. The server learns that you agreed to open it, not what you do there.
      </p>
      <div className="wrap gap8" data-uncovered>
        <Button
          small
          kind="primary"
          icon={ExternalLink}
          disabled={busy || !isWebAddress(address)}
          onClick={once(() => accept(() => actions.openPage(address)))}
        >
          Open in the browser
        </Button>
        <Declining busy={busy} send={send} />
        <Button
          small
          kind="quiet"
          disabled={busy}
          title="Responds with the action “accept”"
          onClick={once(() => accept())}
        >
          Accept without opening
        </Button>
      </div>
    </div>
  );
}
