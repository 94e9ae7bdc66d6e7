import { Band } from "../../components/Band";
import type { ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count } from "../../lib/format";
import { useActions, useServerRequestsOf, useServerUi } from "../../state/hooks";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";

interface SessionServerRequestsProps {
  readonly server: ServerId;
  /** The content below shows many rows, and needs the room more than one request does. */
  readonly aboveRows: boolean;
}

/** Server requests outside of any operation, above everything else about the server. Can be folded away. */
export function SessionServerRequests({ server, aboveRows }: SessionServerRequestsProps) {
  const serverRequests = useServerRequestsOf(server, null);
  const open = !useServerUi(server, (ui) => ui.serverRequestsFolded);
  const { foldServerRequests } = useActions();
  if (serverRequests.length === 0) return null;
  return (
    <Band
      label="Server requests"
      bodyLabel="Requests"
      tone="info"
      title={`${count(serverRequests.length, "server request", "server requests")} outside of any run`}
      open={open}
      onToggle={() => foldServerRequests(server, open)}
      bodyClass={cx(styles.list, aboveRows && styles.aboveRows)}
    >
      {serverRequests.map((request) => (
        <ServerRequestCard key={request} request={request} />
      ))}
    </Band>
  );
}
