import {
  Activity,
  Cable,
  CircleAlert,
  FileText,
  GraduationCap,
  Info,
  KeyRound,
  ListTodo,
  MessageSquareText,
  MessageCircleQuestionMark,
  MonitorCheck,
  Send,
  ShieldAlert,
  SquareTerminal,
  TriangleAlert,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import { useEffect, type FunctionComponent, type ReactNode } from "react";

import { PaneBoundary } from "../components/PaneBoundary";
import { TabPanel, Tabs, type TabItem } from "../components/Tabs";
import { SignInBand } from "../features/auth/SignInBand";
import { SignInProgress } from "../features/auth/SignInProgress";
import { hasSignIn } from "../features/auth/words";
import { CatalogList } from "../features/catalog/CatalogList";
import { OperationServerRequests } from "../features/serverRequests/OperationServerRequests";
import { SessionServerRequests } from "../features/serverRequests/SessionServerRequests";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import { RunsPane, type RunsPaneProps } from "../features/runs/RunsPane";
import { ConnectionView, useHasContent, useStandsAlone } from "../features/servers/ConnectionView";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { ServerId } from "../ipc/bindings";
import { count } from "../lib/format";
import {
  useActions,
  useBackend,
  useFetched,
  useAppState,
  useAuth,
  useHealth,
  useIssueCounts,
  useParts,
  useServer,
  useServerUi,
  useSession,
  useShownPrompt,
  useShownSkill,
  useShownTool,
  useShownUri,
} from "../state/hooks";
import { issueCount } from "../state/issues";
import { isItemTab, itemTabs, itemTabsOf, shownTab, type ItemTab } from "../state/itemTabs";
import type { ServerCatalogs } from "../state/live";
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from "../state/operationName";
import { runsOf } from "../state/serverRequests";
import { hasTasks } from "../state/tasks";
import { focusMark, focusNames, type Tab } from "../state/view";
import { ServerHeader } from "./ServerHeader";
import styles from "./ServerView.module.css";
import {
  AboutPane,
  AuthPane,
  ConnectionPane,
  ConsolePane,
  HostsPane,
  IssuesPane,
  PromptsPane,
  RawRequestPane,
  SkillsPane,
  TasksPane,
  WirePane,
} from "./parts";

interface ItemTabProps {
  readonly server: ServerId;
  readonly runs: (about: RunsPaneProps["about"]) => ReactNode;
}

/** The views with items: one line for each. */
const ITEM_TABS: Readonly<
  Record<ItemTab, { readonly label: string; readonly icon: LucideIcon; readonly Pane: FunctionComponent<ItemTabProps> }>
> = {
  tools: { label: "Tools", icon: Wrench, Pane: Tools },
  resources: { label: "Resources", icon: FileText, Pane: Resources },
  prompts: { label: "Prompts", icon: MessageSquareText, Pane: Prompts },
  skills: { label: "Skills", icon: GraduationCap, Pane: Skills },
};

function Tools({ server, runs }: ItemTabProps): ReactNode {
  const { selectTool, focusForm } = useActions();
  const tool = useShownTool(server);
  return (
    <ToolsPane
      server={server}
      list={(selected) => (
        <CatalogList
          server={server}
          kind="tools"
          selected={selected}
          onSelect={(key) => selectTool(server, key)}
          onActivate={(key) => focusForm(server, key)}
        />
      )}
      runs={runs(tool === null ? null : { type: "tool", method: TOOLS_CALL, key: tool })}
    />
  );
}

function Resources({ server, runs }: ItemTabProps): ReactNode {
  const { selectResource, focusPane } = useActions();
  const uri = useShownUri(server);
  return (
    <ResourcesPane
      server={server}
      list={(kind, selected) => (
        <CatalogList
          server={server}
          kind={kind}
          selected={selected}
          onSelect={(key) => selectResource(server, { type: "item", kind, key })}
          onActivate={() => focusPane(server, "form")}
        />
      )}
      runs={runs(uri === null ? null : { type: "resource", method: RESOURCES_READ, key: uri })}
    />
  );
}

function Prompts({ server, runs }: ItemTabProps): ReactNode {
  const { selectPrompt, focusForm } = useActions();
  const prompt = useShownPrompt(server);
  return (
    <PromptsPane
      server={server}
      list={(selected) => (
        <CatalogList
          server={server}
          kind="prompts"
          selected={selected}
          onSelect={(key) => selectPrompt(server, key)}
          onActivate={(key) => focusForm(server, { method: PROMPTS_GET, key })}
        />
      )}
      runs={runs(prompt === null ? null : { type: "prompt", method: PROMPTS_GET, key: prompt })}
    />
  );
}

function Skills({ server, runs }: ItemTabProps): ReactNode {
  const { selectSkill, focusPane } = useActions();
  const skill = useShownSkill(server);
  return (
    <SkillsPane
      server={server}
      list={(selected) => (
        <CatalogList
          server={server}
          kind="skills"
          selected={selected}
          onSelect={(key) => selectSkill(server, key)}
          onActivate={() => focusPane(server, "form")}
        />
      )}
      runs={runs(skill === null ? null : { type: "resource", method: RESOURCES_READ, key: skill })}
    />
  );
}

/** Everything about one server. */
export function ServerView({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  const signsIn = hasSignIn(useServer(server), auth);
  const chosen = useServerUi(server, (ui) => ui.tab);
  // The way to a server can be changed to one that knows no sign-in.
  const tasksThere = useAppState((state) => hasTasks(state.live, server));
  const gone = (chosen === "sign_in" && !signsIn) || (chosen === "tasks" && !tasksThere);
  const wanted = gone ? "tools" : chosen;
  const tab = useAppState((state) => shownTab(state.live, server, wanted));
  const itemTabsThere = useParts((state) => itemTabsOf(state.live, server, wanted));
  const alone = useStandsAlone(server);
  const hasContent = useHasContent(server);
  const counts = useParts((state) => itemTabsThere.map((one) => countOf(state.live.catalogs[server], one)));
  const issues = useIssueCounts(server);
  const found = issueCount(issues);
  const asked = useAppState((state) =>
    (state.live.serverRequestOrder[server] ?? []).some(
      (request) => runsOf(state.live.serverRequests[request], state.live.operations).length > 0,
    ),
  );
  const health = useHealth(server);
  const news = useConsoleNews(server, tab === "console");
  const { selectTab } = useActions();
  const backend = useBackend();
  // Those of before this start are read when their server is shown, and told as events.
  const history = useFetched(server, "", () => backend.call("load_history", { server }));
  const runs = (about: RunsPaneProps["about"]): ReactNode => (
    <PaneBoundary name="Runs">
      <RunsPane
        server={server}
        about={about}
        history={history}
        serverRequests={(operation, selected) => (
          <OperationServerRequests server={server} operation={operation} answered={selected} />
        )}
      />
    </PaneBoundary>
  );
  const tabs: readonly TabItem<Tab>[] = [
    ...itemTabsThere.map((value, place) => ({
      value,
      label: ITEM_TABS[value].label,
      count: counts[place] ?? undefined,
      icon: ITEM_TABS[value].icon,
      mark: markOf(asked && place === 0, issues[value]),
    })),
    ...(tasksThere ? [{ value: "tasks" as const, label: "Tasks", icon: ListTodo }] : []),
    {
      value: "issues",
      label: "Issues",
      icon: ShieldAlert,
      count: found > 0 ? found : undefined,
      mark:
        found === 0
          ? undefined
          : issues.errors > 0
            ? { icon: CircleAlert, label: "with errors", isError: true }
            : { icon: TriangleAlert, label: "not as the specification says" },
    },
    { value: "hosts", label: "Hosts", icon: MonitorCheck },
    { value: "wire", label: "Wire log", icon: Activity },
    { value: "console", label: "Console", icon: SquareTerminal, count: news > 0 ? news : undefined },
    { value: "request", label: "Raw request", icon: Send },
    {
      value: "connection",
      label: "Connection",
      icon: Cable,
      mark: health ? { icon: TriangleAlert, label: "has a problem" } : undefined,
    },
    { value: "about", label: "About", icon: Info },
    ...(signsIn
      ? [
          {
            value: "sign_in" as const,
            label: "Authentication",
            icon: KeyRound,
            mark: auth?.problem ? { icon: TriangleAlert, label: "has a problem" } : undefined,
          },
        ]
      : []),
  ];
  return (
    <div className="fill">
      <ServerHeader server={server} offered={isItemTab(tab) && !hasContent} />
      <div className={styles.tabs} {...focusMark(focusNames.pane("tabs"))}>
        <Tabs
          label="Server views"
          idPrefix={`server-${server}`}
          value={tab}
          onChange={(value) => selectTab(server, value)}
          items={tabs}
        />
      </div>
      {/* Where the whole place is for the sign-in, the card is there. */}
      {tab !== "sign_in" && !(isItemTab(tab) && alone) && (
        <PaneBoundary name="Sign-in">
          <SignInBand server={server} />
        </PaneBoundary>
      )}
      <PaneBoundary name="Server requests">
        <SessionServerRequests server={server} aboveRows={tab === "wire" || tab === "console"} />
      </PaneBoundary>
      <div className={styles.content} {...focusMark(focusNames.pane("content"))}>
        {itemTabsThere.map((value) => {
          const { label, Pane } = ITEM_TABS[value];
          return (
            <TabPanel key={value} idPrefix={`server-${server}`} value={value} active={tab}>
              <PaneBoundary name={label}>
                <ConnectionView server={server} signIn={<SignInProgress server={server} />}>
                  <Pane server={server} runs={runs} />
                </ConnectionView>
              </PaneBoundary>
            </TabPanel>
          );
        })}
        <TabPanel idPrefix={`server-${server}`} value="issues" active={tab}>
          <PaneBoundary name="Issues">
            <IssuesPane server={server} />
          </PaneBoundary>
        </TabPanel>
        {tasksThere && (
          <TabPanel idPrefix={`server-${server}`} value="tasks" active={tab}>
            <PaneBoundary name="Tasks">
              <TasksPane server={server} />
            </PaneBoundary>
          </TabPanel>
        )}
        <TabPanel idPrefix={`server-${server}`} value="hosts" active={tab}>
          <PaneBoundary name="Hosts">
            <HostsPane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="wire" active={tab}>
          <PaneBoundary name="Wire log">
            <WirePane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="console" active={tab}>
          <PaneBoundary name="Console">
            <ConsolePane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="request" active={tab}>
          <PaneBoundary name="Raw request">
            <RawRequestPane server={server} runs={runs(null)} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="connection" active={tab}>
          <PaneBoundary name="Connection">
            <ConnectionPane server={server} />
          </PaneBoundary>
        </TabPanel>
        {signsIn && (
          <TabPanel idPrefix={`server-${server}`} value="sign_in" active={tab}>
            <PaneBoundary name="Authentication">
              <AuthPane server={server} />
            </PaneBoundary>
          </TabPanel>
        )}
        <TabPanel idPrefix={`server-${server}`} value="about" active={tab}>
          <PaneBoundary name="About">
            <AboutPane server={server} />
          </PaneBoundary>
        </TabPanel>
      </div>
    </div>
  );
}

/** Lines on stderr since the last look at the console. */
function useConsoleNews(server: ServerId, isShown: boolean): number {
  const { setPaneState } = useActions();
  const generation = useSession(server)?.generation ?? 0;
  const lines = useSession(server)?.stderr_lines ?? 0;
  const seen = useServerUi(server, (ui) => ui.console.seen);
  const known = seen?.generation === generation ? seen.lines : 0;
  useEffect(() => {
    if (isShown && (generation !== seen?.generation || lines !== seen.lines)) {
      setPaneState(server, "console", { seen: { generation, lines } });
    }
  }, [server, isShown, generation, lines, seen, setPaneState]);
  return isShown ? 0 : Math.max(0, lines - known);
}

/** Counts the items of a view; `null` until a list was read. */
function countOf(catalogs: ServerCatalogs | undefined, tab: ItemTab): number | null {
  const read = itemTabs[tab].flatMap((kind) => {
    const catalog = catalogs?.[kind];
    return catalog && (tab === "tools" || catalog.revision > 0) ? [catalog.count] : [];
  });
  return read.length === 0 ? null : read.reduce((sum, one) => sum + one, 0);
}

function markOf(asked: boolean, issues: number): TabItem<string>["mark"] {
  if (asked) return { icon: MessageCircleQuestionMark, label: "a run needs input" };
  return issues > 0 ? { icon: TriangleAlert, label: count(issues, "issue", "issues") } : undefined;
}
