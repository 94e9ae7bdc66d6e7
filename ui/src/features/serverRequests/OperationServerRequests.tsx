import type { ReactNode } from "react";

import type { OperationNumber, ServerId } from "../../ipc/bindings";
import { useServerRequestsOf } from "../../state/hooks";
import { AnsweredRequests } from "./AnsweredRequests";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";

interface OperationServerRequestsProps {
  readonly server: ServerId;
  readonly operation: OperationNumber;
  /** Shows the answered requests as well. */
  readonly answered: boolean;
}

/** Server requests during one operation, oldest first. */
export function OperationServerRequests({ server, operation, answered }: OperationServerRequestsProps): ReactNode {
  const serverRequests = useServerRequestsOf(server, operation);
  return (
    <>
      {serverRequests.length > 0 && (
        <div className={styles.ofOperation}>
          {serverRequests.map((request) => (
            <ServerRequestCard key={request} request={request} />
          ))}
        </div>
      )}
      {answered && <AnsweredRequests operation={operation} />}
    </>
  );
}
