import type { ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { HelpButton } from "../../../components/HelpButton";
import { Prose } from "../../../components/Prose";
import type { HealthCode, HealthProblem, LostCode, OperationOutcome, OperationView } from "../../../ipc/bindings";
import { useActions, useHealth, useSession } from "../../../state/hooks";
import { isUnsent, lostWords } from "../runWords";

export interface LostCalloutProps {
  readonly operation: OperationView;
  readonly outcome: Extract<OperationOutcome, { type: "lost" }>;
}

/** Reason for a lost response, unless the header shows the same reason, with a button that helps. */
export function LostCallout({ operation, outcome }: LostCalloutProps): ReactNode {
  const actions = useActions();
  const health = useHealth(operation.server);
  const generation = useSession(operation.server)?.generation;
  const { code, reason } = outcome;
  const problem = operation.generation === generation && health && helps(health, code) ? health : null;
  const { title } = lostWords[code];
  return (
    <Callout
      level={isUnsent(code) ? "warning" : "error"}
      title={title}
      actions={
        <>
          {problem && (
            // During an outage, the prominent button is in the header.
            <Button
              small
              kind={problem.level === "unhealthy" ? "plain" : "primary"}
              onClick={() => void actions.reconnect(operation.server)}
            >
              Reconnect
            </Button>
          )}
          <HelpButton about="runs" code={code} sentence={title} />
        </>
      }
    >
      {problem && says(problem.sentence, reason) ? (
        "The line beside the server’s name says why."
      ) : (
        <Prose text={reason} />
      )}
    </Callout>
  );
}

/** Problems of streams alone, and problems that Sonde is already solving. */
const STREAMS: ReadonlySet<HealthCode> = new Set(["stream_lost", "stream_over", "reopening"]);

/** Losses of requests that did not get through to the server. */
const NOT_REACHED: ReadonlySet<LostCode> = new Set(["connection_lost", "exchange_failed"]);

/** True if connecting again helps after this loss, with this problem of the connection. */
function helps(health: HealthProblem, code: LostCode): boolean {
  if (STREAMS.has(health.code)) return false;
  // A single run that the server itself failed is no reason to reconnect.
  return health.level === "unhealthy" ? !isUnsent(code) : NOT_REACHED.has(code);
}

/** True if the sentence contains the reason. */
export function says(sentence: string, reason: string): boolean {
  const words = reason.trim().replace(/\.$/, "").toLowerCase();
  return words !== "" && sentence.toLowerCase().includes(words);
}
