import type { ReactNode } from "react";

import { PaneBoundary } from "../components/PaneBoundary";
import { RunsPane, type RunsPaneProps } from "../features/runs/RunsPane";
import { OperationServerRequests } from "../features/serverRequests/OperationServerRequests";

/** Runs of a server with their server requests, beside their subject. */
export function ServerRuns({ server, ...props }: Omit<RunsPaneProps, "serverRequests">): ReactNode {
  return (
    <PaneBoundary name="Runs">
      <RunsPane
        key={server}
        server={server}
        {...props}
        serverRequests={(operation, selected) => (
          <OperationServerRequests server={server} operation={operation} answered={selected} />
        )}
      />
    </PaneBoundary>
  );
}
