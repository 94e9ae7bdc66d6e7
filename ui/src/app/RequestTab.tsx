import type { ReactNode } from "react";

import { RawRequestPane } from "../features/rawRequest/RawRequestPane";
import { ServerRuns } from "./ServerRuns";
import type { PaneProps } from "./tabs";

/** A request that is written by hand, and all runs of the server. */
export function RequestTab({ server, history }: PaneProps): ReactNode {
  return <RawRequestPane server={server} runs={<ServerRuns server={server} history={history} about={null} />} />;
}
