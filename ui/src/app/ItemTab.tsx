import type { ComponentType, ReactNode } from "react";

import type { ItemsPaneProps } from "../components/ItemPanes";
import { CatalogList } from "../features/catalog/CatalogList";
import { PromptsPane } from "../features/prompts/PromptsPane";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import type { RunsPaneProps } from "../features/runs/RunsPane";
import { SkillsPane } from "../features/skills/SkillsPane";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { ServerId } from "../ipc/bindings";
import type { Actions } from "../state/actions";
import { useActions, useSelectedItem, useShownUri, type SelectedKind } from "../state/hooks";
import type { ItemTab as Kind } from "../state/itemTabs";
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from "../state/operationName";
import { ServerRuns } from "./ServerRuns";
import type { PaneProps } from "./tabs";

const PANES: Readonly<Record<Kind, ComponentType<PaneProps>>> = {
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
    Pane: PromptsPane,
    about: { type: "prompt", method: PROMPTS_GET },
    select: ({ selectPrompt }, server, key) => selectPrompt(server, key),
    enter: ({ focusForm }, server, key) => focusForm(server, { method: PROMPTS_GET, key }),
  }),
  skills: itemPane({
    kind: "skills",
    Pane: SkillsPane,
    about: { type: "resource", method: RESOURCES_READ },
    select: ({ selectSkill }, server, key) => selectSkill(server, key),
    enter: ({ focusPane }, server) => focusPane(server, "form"),
  }),
};

/** Items of a server: their list, the selected one, and its runs. */
export function ItemTab({ kind, ...props }: PaneProps & { readonly kind: Kind }): ReactNode {
  const Pane = PANES[kind];
  return <Pane {...props} />;
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
  return function Items({ server, history }: PaneProps): ReactNode {
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
        runs={<ServerRuns server={server} history={history} about={key === null ? null : { ...about, key }} />}
      />
    );
  };
}

function Resources({ server, history }: PaneProps): ReactNode {
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
      runs={
        <ServerRuns
          server={server}
          history={history}
          about={uri === null ? null : { type: "resource", method: RESOURCES_READ, key: uri }}
        />
      }
    />
  );
}
