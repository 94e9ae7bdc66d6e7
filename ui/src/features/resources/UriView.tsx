import type { ReactNode } from "react";

import { PaneHead } from "../../components/PaneHead";
import type { ServerId } from "../../ipc/bindings";
import { useActions } from "../../state/hooks";
import { SubscribeButton, SubscriptionState } from "./Subscription";
import { UriForm } from "./UriForm";

/** A resource that is in no list: its URI was found in a result, or is written by hand. */
export function UriView({ server, uri }: { readonly server: ServerId; readonly uri: string }): ReactNode {
  const actions = useActions();
  const written = uri.trim() !== "";
  return (
    <UriForm
      server={server}
      uri={uri}
      onChange={(typed) => actions.selectResource(server, { type: "uri", uri: typed })}
    >
      <PaneHead
        server={server}
        label="resource"
        title="Read a URI"
        beside={written && <SubscribeButton server={server} uri={uri} />}
      >
        <p className="muted">
          Reads a resource that is not in the server’s list: one that a result links to, or one whose URI you know.
        </p>
        {written && <SubscriptionState server={server} uri={uri} />}
      </PaneHead>
    </UriForm>
  );
}
