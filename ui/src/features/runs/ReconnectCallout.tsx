import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Prose } from "../../components/Prose";
import type { OperationView } from "../../ipc/bindings";
import { useActions, useHealth, useSession } from "../../state/hooks";
import { isUnsent } from "./words";

/** What helps a run that was lost because the connection does not work, as long as it does not. */
export function ReconnectCallout({ operation }: { readonly operation: OperationView }): ReactNode {
  const actions = useActions();
  const health = useHealth(operation.server);
  const generation = useSession(operation.server)?.generation;
  const { outcome } = operation;
  const lost = outcome?.type === "lost" && !isUnsent(outcome.code) && operation.generation === generation;
  if (!health || !lost || !HELPED.has(health.code)) return null;
  return (
    <Callout
      level={health.level === "unhealthy" ? "error" : "warning"}
      actions={
        <Button small kind="primary" onClick={() => void actions.reconnect(operation.server)}>
          Reconnect
        </Button>
      }
    >
      <p>
        <Prose text={health.sentence} />
      </p>
    </Callout>
  );
}

/** What is the matter with requests, and not with streams alone. */
const HELPED: ReadonlySet<string> = new Set(["request_failed", "unreachable", "session_rejected"]);
