import { Link } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { CopiedText } from "../../components/CopiedText";
import { Empty } from "../../components/Empty";
import { Facts } from "../../components/Facts";
import { FindingsCallout } from "../../components/Findings";
import { ItemFault } from "../../components/ItemFault";
import { ItemHeader } from "../../components/ItemHeader";
import { ItemPanes } from "../../components/ItemPanes";
import { Markdown } from "../../components/markdown/Markdown";
import { ReadForm } from "../../components/ReadForm";
import { audienceWords } from "../../components/resourceFacts";
import { Segmented } from "../../components/Segmented";
import { isCut, ShowAll } from "../../components/viewer/ShowAll";
import type { ResourceDetail, ServerId } from "../../ipc/bindings";
import { bytes, number } from "../../lib/format";
import { own } from "../../lib/own";
import { useLater } from "../../lib/useLater";
import { catalogActions } from "../../state/actions/catalogs";
import { draftActions } from "../../state/actions/drafts";
import { useActions, useCatalog, useOpenCatalogs, useShownResource, useSliceValue } from "../../state/hooks";
import { itemTabs } from "../../state/itemTabs";
import { useItem } from "../../state/queries";
import { itemsSlice, type ResourceChoice, type ResourceKind } from "../../state/slices/items";
import { focusNames } from "../../state/view";
import styles from "./resources.module.css";
import { SubscribeButton, SubscriptionState } from "./Subscription";
import { TemplateForm } from "./TemplateForm";
import { UriForm, UriView } from "./UriForm";

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

interface ResourceViewProps {
  readonly server: ServerId;
  readonly kind: ResourceKind;
  /** Key of the resource or template. */
  readonly item: string;
}

/** One resource or template: its description, and the form to read it. */
function ResourceView({ server, kind, item }: ResourceViewProps): ReactNode {
  const detail = useItem(server, kind, item, (backend) => backend.call("resource_detail", { server, kind, key: item }));
  const actions = useActions();
  // The empty name is free for this, as variables have names.
  const byHand = useSliceValue(server, itemsSlice, (ui) => own(ui.templateValues, detail.value?.uri ?? "")?.[""]);
  if (!detail.value) {
    const onFirst = (): void => actions.get(catalogActions).selectResource(server, null);
    return <ItemFault detail={detail} one="resource" first="in the list" keeps={false} onFirst={onFirst} />;
  }
  const { value } = detail;
  const about = <About server={server} kind={kind} detail={value} />;
  if (value.template === null) {
    return (
      <ReadForm
        one="resource"
        server={server}
        uri={isCut(value.uri) ? null : value.uri}
        why="The URI is too long to be read."
        about={value.uri}
      >
        {about}
      </ReadForm>
    );
  }
  if (value.template.problem !== null) {
    return (
      <UriForm
        server={server}
        uri={byHand ?? value.uri}
        onChange={(uri) => actions.get(draftActions).setTemplateValue(server, value.uri, "", uri)}
      >
        {about}
        <Callout level="warning" title="This is not a URI template, so it has no form.">
          The problem: {value.template.problem}. Edit the URI by hand to read it.
        </Callout>
      </UriForm>
    );
  }
  return (
    <TemplateForm server={server} template={value.uri} variables={value.template.variables}>
      {about}
    </TemplateForm>
  );
}

interface AboutProps extends Pick<ResourceViewProps, "server" | "kind"> {
  readonly detail: ResourceDetail;
}

function About({ server, kind, detail }: AboutProps): ReactNode {
  const { row } = detail;
  const said = row.resource;
  const audience = said && audienceWords(said);

  // A cut URI cannot be subscribed to.
  const subscribes = kind === "resources" && !isCut(detail.uri) ? detail.uri : null;

  return (
    <ItemHeader
      server={server}
      kind={kind}
      detail={detail}
      beside={subscribes !== null && <SubscribeButton server={server} uri={subscribes} />}
      about={(definition) => (
        <>
          {detail.description !== null && detail.description.trim() !== "" && (
            <>
              <Markdown text={detail.description} />
              <ShowAll text={detail.description} label="Definition" source={definition} />
            </>
          )}
          <Facts
            items={{
              [kind === "resources" ? "URI" : "URI template"]: <CopiedText text={detail.uri} label="Copy URI" />,
              Name: row.title !== null && <code>{row.name}</code>,
              "MIME type": said?.mime_type || null,
              Size: said && said.size !== null && bytes(said.size),
              Audience: audience || null,
              Priority: said && said.priority !== null && `${said.priority} (0 is least, 1 is most important)`,
              "Last modified": said?.last_modified || null,
            }}
          />
        </>
      )}
    >
      {subscribes !== null && <SubscriptionState server={server} uri={subscribes} />}
      <FindingsCallout
        title="The definition does not follow the specification"
        findings={detail.findings}
        at={{ server, subject: `item ${kind} ${row.key}` }}
      />
    </ItemHeader>
  );
}
