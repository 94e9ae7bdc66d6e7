import type { OperationNumber, ServerId } from "../../ipc/bindings";
import { useServerRequestsOf } from "../../state/hooks";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";

/** What the server asks during one operation, oldest first. */
export function OperationServerRequests({ server, operation }: { server: ServerId; operation: OperationNumber }) {
  const serverRequests = useServerRequestsOf(server, operation);
  if (serverRequests.length === 0) return null;
  return (
    <div className={styles.ofOperation}>
      {serverRequests.map((request) => (
        <ServerRequestCard key={request} request={request} />
      ))}
    </div>
  );
}
