import type { ComponentType, ReactNode } from "react";

import { Empty } from "../components/Empty";
import { SelectedItemPanes, type SelectedItemPanesProps } from "../components/ItemPanes";
import { CatalogList } from "../features/catalog/CatalogList";
import { PromptView } from "../features/prompts/PromptView";
import { ResourcesPane } from "../features/resources/ResourcesPane";
import type { RunsPaneProps } from "../features/runs/RunsPane";
import { SkillView } from "../features/skills/SkillView";
import { ToolView } from "../features/tools/ToolView";
import type { ServerId } from "../ipc/bindings";
import type { Actions } from "../state/actions";
import { catalogActions } from "../state/actions/catalogs";
import { useActions, useSelectedItem, useShownResource } from "../state/hooks";
import type { ItemTab as Kind } from "../state/itemTabs";
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from "../state/operationName";

import { ServerRuns } from "./ServerRuns";
import type { PaneProps } from "./tabs";

const PANES: Readonly<Record<Kind, ComponentType<PaneProps>>> = {
  tools: itemPane({
    kind: "tools",
    words: { list: "Tool list", item: "Tool", form: "Form" },
    none: <Empty title="No tool selected">Select a tool to see its form.</Empty>,
    unlisted: (key) => (
      <Empty title="No tools listed yet">The form of “{key}” appears once the server has listed its tools.</Empty>
    ),
    item: (server, key) => <ToolView key={`${server} ${key}`} server={server} tool={key} />,
    about: { type: "tool", method: TOOLS_CALL },
    enter: ({ focusForm }, server, key) => focusForm(server, key),
  }),
  resources: Resources,
  prompts: itemPane({
    kind: "prompts",
    words: { list: "Prompt list", item: "Prompt", form: "Form" },
    none: <Empty title="No prompt selected">Select a prompt to see its form.</Empty>,
    item: (server, key) => <PromptView key={`${server} ${key}`} server={server} prompt={key} />,
    about: { type: "prompt", method: PROMPTS_GET },
    enter: ({ focusForm }, server, key) => focusForm(server, { method: PROMPTS_GET, key }),
  }),
  skills: itemPane({
    kind: "skills",
    words: { list: "Skill list", item: "Skill", form: "Skill" },
    none: <Empty title="No skill selected">Select a skill to see what the server says about it, and to read it.</Empty>,
    item: (server, key) => <SkillView key={`${server} ${key}`} server={server} skill={key} />,
    about: { type: "resource", method: RESOURCES_READ },
    enter: ({ focusPane }, server) => focusPane(server, "form"),
  }),
};

/** Items of a server: their list, the selected one, and its runs. */
export function ItemTab({ kind, ...props }: PaneProps & { readonly kind: Kind }): ReactNode {
  const Pane = PANES[kind];
  return <Pane {...props} />;
}

interface ItemPane extends Pick<SelectedItemPanesProps, "kind" | "words" | "none" | "unlisted"> {
  readonly item: (server: ServerId, key: string) => ReactNode;
  /** Runs that belong to an item of the list. */
  readonly about: Omit<NonNullable<RunsPaneProps["about"]>, "key">;
  /** Moves the focus to the item. */
  readonly enter: (actions: Actions, server: ServerId, key: string) => void;
}

/** Makes the pane of a list, its selected item and the item's runs. */
function itemPane({ about, enter, item, ...pane }: ItemPane): ComponentType<PaneProps> {
  return function Items({ server, history }: PaneProps): ReactNode {
    const actions = useActions();
    const key = useSelectedItem(server, pane.kind);
    return (
      <SelectedItemPanes
        {...pane}
        server={server}
        list={(selected) => (
          <CatalogList
            key={server}
            server={server}
            kind={pane.kind}
            selected={selected}
            onSelect={(next) => actions.get(catalogActions).selectItem(server, pane.kind, next)}
            onActivate={(next) => enter(actions, server, next)}
          />
        )}
        item={(shown) => item(server, shown)}
        runs={<ServerRuns server={server} history={history} about={key === null ? null : { ...about, key }} />}
      />
    );
  };
}

function Resources({ server, history }: PaneProps): ReactNode {
  const actions = useActions();
  const { focusPane } = actions;
  const { selectResource } = actions.get(catalogActions);
  const choice = useShownResource(server);
  // A template has many URIs.
  const uri = choice?.type === "uri" ? choice.uri : choice?.kind === "resources" ? choice.key : null;
  return (
    <ResourcesPane
      server={server}
      list={(kind, selected) => (
        <CatalogList
          key={`${server} ${kind}`}
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
