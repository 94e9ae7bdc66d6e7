import type { ComponentType, ReactNode } from "react";

import type { ItemsPaneProps } from "../components/ItemPanes";
import { PaneBoundary } from "../components/PaneBoundary";
import { SignInProgress } from "../features/auth/SignInProgress";
import { CatalogList } from "../features/catalog/CatalogList";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import type { RunsPaneProps } from "../features/runs/RunsPane";
import { ConnectionView } from "../features/servers/ConnectionView";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { ServerId } from "../ipc/bindings";
import type { Actions } from "../state/actions";
import { useActions, useSelectedItem, useShownUri, type SelectedKind } from "../state/hooks";
import { isItemTab } from "../state/itemTabs";
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from "../state/operationName";
import type { Tab } from "../state/view";
import { later } from "./later";
import { TABS } from "./tabs";

interface PaneProps {
  readonly server: ServerId;
  /** Renders the runs of the server, beside what they are about. */
  readonly runs: (about: RunsPaneProps["about"]) => ReactNode;
}

const RawRequestPane = later(async () => (await import("../features/rawRequest/RawRequestPane")).RawRequestPane);

/** Content of each tab of a server. */
const PANES: Readonly<Record<Tab, ComponentType<PaneProps>>> = {
  tools: itemPane({
    kind: "tools",
    Pane: ToolsPane,
    about: { type: "tool", method: TOOLS_CALL },
    select: ({ selectTool }, server, key) => selectTool(server, key),
    enter: ({ focusForm }, server, key) => focusForm(server, key),
  }),
  resources: Resources,
  prompts: itemPane({
    kind: "prompts",
    Pane: later(async () => (await import("../features/prompts/PromptsPane")).PromptsPane),
    about: { type: "prompt", method: PROMPTS_GET },
    select: ({ selectPrompt }, server, key) => selectPrompt(server, key),
    enter: ({ focusForm }, server, key) => focusForm(server, { method: PROMPTS_GET, key }),
  }),
  skills: itemPane({
    kind: "skills",
    Pane: later(async () => (await import("../features/skills/SkillsPane")).SkillsPane),
    about: { type: "resource", method: RESOURCES_READ },
    select: ({ selectSkill }, server, key) => selectSkill(server, key),
    enter: ({ focusPane }, server) => focusPane(server, "form"),
  }),
  tasks: later(async () => (await import("../features/tasks/TasksPane")).TasksPane),
  issues: later(async () => (await import("../features/issues/IssuesPane")).IssuesPane),
  hosts: later(async () => (await import("../features/hosts/HostsPane")).HostsPane),
  wire: later(async () => (await import("../features/wire/WirePane")).WirePane),
  console: later(async () => (await import("../features/wire/ConsolePane")).ConsolePane),
  request: ({ server, runs }) => <RawRequestPane server={server} runs={runs(null)} />,
  connection: later(async () => (await import("../features/connection/ConnectionPane")).ConnectionPane),
  about: later(async () => (await import("../features/about/AboutPane")).AboutPane),
  sign_in: later(async () => (await import("../features/auth/AuthPane")).AuthPane),
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

interface ItemPane {
  readonly kind: SelectedKind;
  readonly Pane: ComponentType<ItemsPaneProps>;
  /** Runs that belong to an item of the list. */
  readonly about: Omit<NonNullable<RunsPaneProps["about"]>, "key">;
  readonly select: (actions: Actions, server: ServerId, key: string) => void;
  /** Moves the focus to the item. */
  readonly enter: (actions: Actions, server: ServerId, key: string) => void;
}

/** Pane of a list, its selected item and the runs of that. */
function itemPane({ kind, Pane, about, select, enter }: ItemPane): ComponentType<PaneProps> {
  return function Items({ server, runs }: PaneProps): ReactNode {
    const actions = useActions();
    const key = useSelectedItem(server, kind);
    return (
      <Pane
        server={server}
        list={(selected) => (
          <CatalogList
            server={server}
            kind={kind}
            selected={selected}
            onSelect={(next) => select(actions, server, next)}
            onActivate={(next) => enter(actions, server, next)}
          />
        )}
        runs={runs(key === null ? null : { ...about, key })}
      />
    );
  };
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
