import type { OperationNumber, OperationView, ServerId } from "../ipc/bindings";
import { itemTabs, type ItemTab } from "./itemTabs";
import type { LiveState } from "./live";

/** How much of what a server sends does not follow the specification, by where it is shown. */
export interface Issues {
  /** Messages and lines of the present connection. */
  readonly wire: number;
  /** The list of tools. */
  readonly tools: number;
  /** The lists of resources and of resource templates. */
  readonly resources: number;
  /** The list of prompts. */
  readonly prompts: number;
  /** What the runs of the present connection returned. */
  readonly results: number;
}

export function issuesOf(live: LiveState, server: ServerId): Issues {
  const ofLists = (tab: ItemTab): number =>
    itemTabs[tab].reduce((sum, kind) => sum + (live.catalogs[server]?.[kind]?.issues ?? 0), 0);
  return {
    wire: live.connections[server]?.issues ?? 0,
    tools: ofLists("tools"),
    resources: ofLists("resources"),
    prompts: ofLists("prompts"),
    results: runsOf(live, server).reduce((sum, { issues }) => sum + issues, 0),
  };
}

export const issueCount = (issues: Issues): number =>
  Object.values<number>({ ...issues }).reduce((sum, one) => sum + one, 0);

/** The newest run of the present connection whose result has issues. */
export function runWithIssues(live: LiveState, server: ServerId): OperationNumber | undefined {
  const flawed = runsOf(live, server).filter(({ issues }) => issues > 0);
  return flawed.length === 0 ? undefined : Math.max(...flawed.map(({ operation }) => operation));
}

function runsOf(live: LiveState, server: ServerId): OperationView[] {
  const generation = live.sessions[server]?.generation;
  return (live.operationOrder[server] ?? []).flatMap((operation) => {
    const run = live.operations[operation];
    return run && run.earlier === null && run.generation === generation ? [run] : [];
  });
}
