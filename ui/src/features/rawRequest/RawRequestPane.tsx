import type { ReactNode } from "react";

import { FormAndRuns } from "../../components/FormAndRuns";
import type { ServerId } from "../../ipc/bindings";
import { useIsSmall } from "../../lib/useMedia";
import { useAppState, useServerUi } from "../../state/hooks";
import { RawRequestForm } from "./RawRequestForm";

export interface RawRequestPaneProps {
  readonly server: ServerId;
  readonly runs: ReactNode;
}

/** A request or notification that is written by hand, and the runs beside or below it. */
export function RawRequestPane({ server, runs }: RawRequestPaneProps): ReactNode {
  const small = useIsSmall();
  const below = useAppState((state) => state.live.settings.runs_below) || small;
  const maximized = useServerUi(server, (ui) => ui.maximized);
  return (
    <FormAndRuns
      size="raw_runs"
      label="Raw request"
      form={<RawRequestForm server={server} />}
      runs={runs}
      below={below}
      only={maximized === "runs" || maximized === "run" ? "runs" : null}
    />
  );
}
