import { Band } from "../../components/Band";
import type { ServerId } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { useActions, useServerRequestsOf, useServerUi } from "../../state/hooks";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";

/** What the server asks outside of any operation, above everything else about it. Can be folded away. */
export function SessionServerRequests({ server }: { server: ServerId }) {
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
      bodyClass={styles.list}
    >
      {serverRequests.map((request) => (
        <ServerRequestCard key={request} request={request} />
      ))}
    </Band>
  );
}
