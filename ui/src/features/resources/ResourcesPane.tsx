import { Link } from "lucide-react";
import type { ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { IconButton } from "../../components/IconButton";
import { ItemPanes } from "../../components/ItemPanes";
import { Segmented } from "../../components/Segmented";
import type { ServerId } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { useLater } from "../../lib/useLater";
import { catalogActions } from "../../state/actions/catalogs";
import { useActions, useCatalog, useOpenCatalogs, useShownResource, useSliceValue } from "../../state/hooks";
import { itemTabs } from "../../state/itemTabs";
import { itemsSlice, type ResourceChoice, type ResourceKind } from "../../state/slices/items";
import { focusNames } from "../../state/view";
import styles from "./resources.module.css";
import { ResourceView } from "./ResourceView";
import { UriView } from "./UriForm";

export interface ResourcesPaneProps {
  readonly server: ServerId;
  /** Renders a list with this item selected. */
  readonly list: (kind: ResourceKind, selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

const PANE_WORDS = { list: "Resource list", item: "Resource", form: "Resource" };

/** Resources and resource templates of a server, the selected item, and the runs. */
export function ResourcesPane({ server, list, runs }: ResourcesPaneProps): ReactNode {
  useOpenCatalogs(server, itemTabs.resources);
  const kind = useSliceValue(server, itemsSlice, (ui) => ui.resourceKind);
  const choice = useShownResource(server);
  const later = useLater(choice);
  // A URI that is being typed must not lag behind.
  const shown = choice?.type === "uri" ? choice : later;
  const selected = choice?.type === "item" && choice.kind === kind ? choice.key : null;
  const form =
    shown === null ? (
      <Empty title="No resource selected">
        Select a resource to see what the server says about it, and to read it.
      </Empty>
    ) : shown.type === "uri" ? (
      <UriView server={server} uri={shown.uri} />
    ) : (
      <ResourceView key={nameOf(server, shown)} server={server} kind={shown.kind} item={shown.key} />
    );
  return (
    <ItemPanes
      server={server}
      words={PANE_WORDS}
      list={
        <div className="fill">
          <Kinds server={server} kind={kind} />
          <div className="fit">{list(kind, selected)}</div>
        </div>
      }
      form={form}
      shown={shown && nameOf(server, shown)}
      runs={runs}
    />
  );
}

function nameOf(server: ServerId, choice: ResourceChoice): string {
  return choice.type === "uri" ? `${server} uri` : `${server} ${choice.kind} ${choice.key}`;
}

/** Switches between the two lists, and opens a resource that is in neither. */
function Kinds({ server, kind }: { readonly server: ServerId; readonly kind: ResourceKind }): ReactNode {
  const actions = useActions();
  const resources = useCatalog(server, "resources");
  const templates = useCatalog(server, "resource_templates");
  const label = (word: string, view: typeof resources): ReactNode => (
    <span>
      {word}
      {view && view.revision > 0 && <span className={styles.count}>{` (${number(view.count)})`}</span>}
    </span>
  );
  return (
    <div className={styles.kinds}>
      <Segmented
        label="List shown"
        value={kind}
        onChange={(next) => actions.get(catalogActions).showResourceKind(server, next)}
        items={{ resources: label("Resources", resources), resource_templates: label("Templates", templates) }}
      />
      <span className="pushRight">
        <IconButton
          small
          label="Read a URI"
          icon={Link}
          onClick={() => {
            actions.get(catalogActions).selectResource(server, { type: "uri", uri: "" });
            actions.focusPane(server, "form", focusNames.uri);
          }}
        />
      </span>
    </div>
  );
}
