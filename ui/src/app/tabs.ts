import * as icons from "lucide-react";

import { consoleSlice } from "../features/wire/consoleUi";
import type { ServerId } from "../ipc/bindings";
import { count } from "../lib/format";
import { failedChecks } from "../state/checks";
import { issueCount, issuesOf } from "../state/issues";
import { itemCountOf, itemTabsOf, type ItemTab } from "../state/itemTabs";
import { healthOf } from "../state/live";
import type { Fetched } from "../state/queries";
import { runsOf } from "../state/serverRequests";
import { hasSignIn } from "../state/signIn";
import { sliceOf } from "../state/slices/slice";
import type { AppState } from "../state/store";
import { hasTasks } from "../state/tasks";
import { initialServerUi, type Tab } from "../state/view";

/** Props of the content of a tab. */
export interface PaneProps {
  readonly server: ServerId;
  /** State of reading the runs of earlier starts. */
  readonly history: Fetched<void>;
}

/** Count and mark beside the name of a tab. */
export interface TabStatus {
  /** `null` if there is none to show. */
  readonly count?: number | null;
  /** Mark on a tab whose content needs attention. */
  readonly mark?: { readonly kind: "asks" | "warning" | "error"; readonly label: string };
}

export interface ServerTab {
  readonly label: string;
  readonly icon: icons.LucideIcon;
  /** Title and keys of the action that shows the tab. */
  readonly action: string;
  readonly keys: readonly string[];
  /** First of the tabs that every server has. */
  readonly apart?: boolean;
  /** `null` hides the tab for a server. */
  readonly status?: (state: AppState, server: ServerId) => TabStatus | null;
}

const PROBLEM = { kind: "warning", label: "has a problem" } as const;

/** Tabs of a server, in the order of `tabs` in the view. */
export const TABS: Readonly<Record<Tab, ServerTab>> = {
  tools: { label: "Tools", icon: icons.Wrench, action: "Show the tools", keys: ["Alt+1"], status: ofItems("tools") },
  resources: {
    label: "Resources",
    icon: icons.FileText,
    action: "Show the resources",
    keys: ["Alt+2"],
    status: ofItems("resources"),
  },
  prompts: {
    label: "Prompts",
    icon: icons.MessageSquareText,
    action: "Show the prompts",
    keys: ["Alt+3"],
    status: ofItems("prompts"),
  },
  skills: {
    label: "Skills",
    icon: icons.GraduationCap,
    action: "Show the skills",
    keys: ["Mod+Shift+K"],
    status: ofItems("skills"),
  },
  tasks: {
    label: "Tasks",
    icon: icons.ListTodo,
    action: "Show the tasks",
    keys: ["Alt+4"],
    status: ({ live }, server) => (hasTasks(live, server) ? {} : null),
  },
  issues: {
    label: "Issues",
    icon: icons.ShieldAlert,
    action: "Show the issues",
    keys: ["Alt+5"],
    apart: true,
    status: ofIssues,
  },
  checks: {
    label: "Checks",
    icon: icons.FlaskConical,
    action: "Show the checks",
    keys: ["Mod+Shift+T"],
    status: ofChecks,
  },
  hosts: {
    label: "Hosts",
    icon: icons.MonitorCheck,
    action: "Show host compatibility",
    keys: ["Mod+Shift+H"],
  },
  wire: { label: "Wire log", icon: icons.Activity, action: "Show the wire log", keys: ["Alt+6"] },
  console: {
    label: "Console",
    icon: icons.SquareTerminal,
    action: "Show the console",
    keys: ["Alt+7"],
    status: ofConsole,
  },
  request: { label: "Raw request", icon: icons.Send, action: "Send a raw request…", keys: [] },
  connection: {
    label: "Connection",
    icon: icons.Cable,
    action: "Show the connection",
    keys: ["Alt+8"],
    status: ({ live }, server) => (healthOf(live, server) ? { mark: PROBLEM } : {}),
  },
  about: { label: "About", icon: icons.Info, action: "Show details of the server", keys: ["Alt+9"] },
  sign_in: {
    label: "Authentication",
    icon: icons.KeyRound,
    action: "Show authentication",
    keys: ["Alt+0"],
    status: ({ live }, server) => {
      const auth = live.auth[server];
      return hasSignIn(live.servers[server], auth) ? (auth?.problem ? { mark: PROBLEM } : {}) : null;
    },
  },
};

/** Returns the status of a tab; `null` if the tab is hidden for a server. */
export function tabStatus(tab: Tab, state: AppState, server: ServerId): TabStatus | null {
  const { status } = TABS[tab];
  return status ? status(state, server) : {};
}

function ofItems(tab: ItemTab): (state: AppState, server: ServerId) => TabStatus | null {
  return ({ live, view }, server) => {
    const there = itemTabsOf(live, server, (view.perServer[server] ?? initialServerUi).tab);
    if (!there.includes(tab)) return null;
    const items = itemCountOf(live, server, tab);
    const issues = issuesOf(live, server)[tab];
    const asked =
      tab === there[0] &&
      (live.serverRequestOrder[server] ?? []).some(
        (request) => runsOf(live.serverRequests[request], live.operations).length > 0,
      );
    return {
      count: items,
      ...(asked
        ? { mark: { kind: "asks", label: "a run needs input" } as const }
        : issues > 0
          ? { mark: { kind: "warning", label: count(issues, "issue", "issues") } as const }
          : {}),
    };
  };
}

function ofIssues({ live }: AppState, server: ServerId): TabStatus {
  const issues = issuesOf(live, server);
  const found = issueCount(issues);
  if (found === 0) return {};
  const mark =
    issues.errors > 0
      ? ({ kind: "error", label: "with errors" } as const)
      : ({ kind: "warning", label: "not as the specification says" } as const);
  return { count: found, mark };
}

function ofChecks({ live }: AppState, server: ServerId): TabStatus {
  const failed = failedChecks(live.checks[server]);
  return failed === 0 ? {} : { count: failed, mark: { kind: "error", label: "failed" } };
}

/** Counts lines on stderr since the console was last seen. */
function ofConsole({ live, view }: AppState, server: ServerId): TabStatus {
  const ui = view.perServer[server] ?? initialServerUi;
  const { seen } = sliceOf(ui, consoleSlice);
  const session = live.sessions[server];
  const lines = seen?.generation === session?.generation ? (seen?.lines ?? 0) : 0;
  const news = (session?.stderr_lines ?? 0) - lines;
  return { count: ui.tab === "console" || news <= 0 ? null : news };
}
