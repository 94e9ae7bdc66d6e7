import type { ReactNode } from "react";

import { FormAndRuns } from "../components/FormAndRuns";
import { RawRequestForm } from "../features/rawRequest/RawRequestForm";
import { useIsSmall } from "../lib/useMedia";
import { useAppState, useServerUi } from "../state/hooks";
import { ServerRuns } from "./ServerRuns";
import type { PaneProps } from "./tabs";

/** Form of a raw request, with all runs of the server beside or below it. */
export function RequestTab({ server, history }: PaneProps): ReactNode {
  const small = useIsSmall();
  const below = useAppState((state) => state.live.settings.runs_below) || small;
  const maximized = useServerUi(server, (ui) => ui.maximized);
  return (
    <FormAndRuns
      size="raw_runs"
      label="Raw request"
      form={<RawRequestForm server={server} />}
      runs={<ServerRuns server={server} history={history} about={null} />}
      below={below}
      only={maximized === "runs" || maximized === "run" ? "runs" : null}
    />
  );
}
