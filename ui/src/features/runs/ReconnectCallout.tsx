import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Prose } from "../../components/Prose";
import type { HealthCode, LostCode, OperationView } from "../../ipc/bindings";
import { useActions, useHealth, useSession } from "../../state/hooks";
import { isUnsent } from "./words";

/** What helps a run that was lost because the connection does not work, as long as it does not. */
export function ReconnectCallout({ operation }: { readonly operation: OperationView }): ReactNode {
  const actions = useActions();
  const health = useHealth(operation.server);
  const generation = useSession(operation.server)?.generation;
  const { outcome } = operation;
  if (!health || operation.generation !== generation || outcome?.type !== "lost") return null;
  // One run that the server itself failed at is no reason to leave it.
  const helps = health.level === "unhealthy" ? !isUnsent(outcome.code) : NOT_REACHED.has(outcome.code);
  if (!helps || STREAMS.has(health.code)) return null;
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

/** What is the matter with streams alone, or is being done about it already. */
const STREAMS: ReadonlySet<HealthCode> = new Set(["stream_lost", "stream_over", "reopening"]);

/** Runs that did not get through to the server. */
const NOT_REACHED: ReadonlySet<LostCode> = new Set(["connection_lost", "exchange_failed"]);
