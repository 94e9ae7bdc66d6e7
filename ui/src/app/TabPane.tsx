import type { ComponentType, ReactNode } from "react";

import { PaneBoundary } from "../components/PaneBoundary";
import { SignInProgress } from "../features/auth/SignInProgress";
import { CatalogList } from "../features/catalog/CatalogList";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import type { RunsPaneProps } from "../features/runs/RunsPane";
import { ConnectionView } from "../features/servers/ConnectionView";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { ServerId } from "../ipc/bindings";
import { useActions, useShownPrompt, useShownSkill, useShownTool, useShownUri } from "../state/hooks";
import { isItemTab } from "../state/itemTabs";
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from "../state/operationName";
import type { Tab } from "../state/view";
import { TABS } from "./tabs";
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

interface PaneProps {
  readonly server: ServerId;
  /** Renders the runs of the server, beside what they are about. */
  readonly runs: (about: RunsPaneProps["about"]) => ReactNode;
}

/** Content of each tab of a server. */
const PANES: Readonly<Record<Tab, ComponentType<PaneProps>>> = {
  tools: Tools,
  resources: Resources,
  prompts: Prompts,
  skills: Skills,
  tasks: TasksPane,
  issues: IssuesPane,
  hosts: HostsPane,
  wire: WirePane,
  console: ConsolePane,
  request: ({ server, runs }) => <RawRequestPane server={server} runs={runs(null)} />,
  connection: ConnectionPane,
  about: AboutPane,
  sign_in: AuthPane,
};

/** The content of a tab. Items are of a connection, whose state stands in their place before there are any. */
export function TabPane({ tab, server, runs }: PaneProps & { readonly tab: Tab }): ReactNode {
  const Pane = PANES[tab];
  const pane = <Pane server={server} runs={runs} />;
  return (
    <PaneBoundary name={TABS[tab].label}>
      {isItemTab(tab) ? (
        <ConnectionView server={server} signIn={<SignInProgress server={server} />}>
          {pane}
        </ConnectionView>
      ) : (
        pane
      )}
    </PaneBoundary>
  );
}

function Tools({ server, runs }: PaneProps): ReactNode {
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

function Resources({ server, runs }: PaneProps): ReactNode {
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

function Prompts({ server, runs }: PaneProps): ReactNode {
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

function Skills({ server, runs }: PaneProps): ReactNode {
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
