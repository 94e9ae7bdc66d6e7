import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { PageAddress } from "../../components/PageAddress";
import { isWebAddress } from "../../lib/pages";
import { useActions } from "../../state/hooks";
import { Declining, type AnswerProps } from "./answering";
import styles from "./serverRequests.module.css";

/** A page that the server asks the user to open. Nothing is fetched of it before it is opened. */
export function PageAnswer({ address, busy, send }: AnswerProps & { readonly address: string }): ReactNode {
  const actions = useActions();
  const accept = (): Promise<void> => send({ type: "raw", result: '{"action":"accept"}' });
  const open = async (): Promise<void> => {
    if (!busy && (await actions.openPage(address))) await accept();
  };
  return (
    <div className={styles.answer}>
      <PageAddress address={address} />
      <p className={styles.hint}>
        The page opens in your browser. The server is told that you agreed to open it, not what you do there.
      </p>
      <div className={styles.buttons}>
        <Button
          small
          kind="primary"
          icon={ExternalLink}
          disabled={busy || !isWebAddress(address)}
          onClick={() => void open()}
        >
          Open in the browser
        </Button>
        <Declining busy={busy} send={send} />
        <Button
          small
          kind="quiet"
          disabled={busy}
          title="Responds with the action “accept”"
          onClick={() => void accept()}
        >
          Accept without opening
        </Button>
      </div>
    </div>
  );
}
