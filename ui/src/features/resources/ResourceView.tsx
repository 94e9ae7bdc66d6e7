import type { ReactNode } from "react";

import { Callout } from "../../components/Callout";
import { CopiedText } from "../../components/CopiedText";
import { Facts } from "../../components/Facts";
import { FindingsCallout } from "../../components/Findings";
import { ItemFault } from "../../components/ItemFault";
import { ItemHeader } from "../../components/ItemHeader";
import { Markdown } from "../../components/markdown/Markdown";
import { ReadForm } from "../../components/ReadForm";
import { audienceWords } from "../../components/resourceFacts";
import { isCut, ShowAll } from "../../components/viewer/ShowAll";
import type { ResourceDetail, ServerId } from "../../ipc/bindings";
import { bytes } from "../../lib/format";
import { own } from "../../lib/own";
import { catalogActions } from "../../state/actions/catalogs";
import { draftActions } from "../../state/actions/drafts";
import { useActions, useSliceValue } from "../../state/hooks";
import { useItem } from "../../state/queries";
import { itemsSlice, type ResourceKind } from "../../state/slices/items";
import { SubscribeButton, SubscriptionState } from "./Subscription";
import { TemplateForm } from "./TemplateForm";
import { UriForm } from "./UriForm";

export interface ResourceViewProps {
  readonly server: ServerId;
  readonly kind: ResourceKind;
  /** Key of the resource or template. */
  readonly item: string;
}

/** One resource or template: its description, and the form to read it. */
export function ResourceView({ server, kind, item }: ResourceViewProps): ReactNode {
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
