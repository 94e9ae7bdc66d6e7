import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import type { OperationNumber } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";

export interface CancelRunProps {
  readonly operation: OperationNumber;
  /** Display name of the run. */
  readonly title: string;
  readonly className?: string | undefined;
}

/** Asks the server to stop a run. */
export function CancelRun({ operation, title, className }: CancelRunProps): ReactNode {
  const actions = useActions();
  return (
    <Button
      small
      className={className}
      title="Esc"
      aria-label={`Cancel run ${title}`}
      onClick={() => void actions.command("cancel_operation", { operation })}
    >
      Cancel run
    </Button>
  );
}
