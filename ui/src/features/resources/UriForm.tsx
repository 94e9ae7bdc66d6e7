import type { ReactNode } from "react";

import { TextInput } from "../../components/Field";
import { PaneHead } from "../../components/PaneHead";
import { ReadForm } from "../../components/ReadForm";
import type { ServerId } from "../../ipc/bindings";
import { catalogActions } from "../../state/actions/catalogs";
import { useActions } from "../../state/hooks";
import { focusMark, focusNames } from "../../state/view";
import { SubscribeButton, SubscriptionState } from "./Subscription";

/** Shared key for the `_meta` of all typed URIs, since each keystroke makes another URI. */
const BY_HAND = "";

export interface UriFormProps {
  readonly server: ServerId;
  readonly uri: string;
  readonly onChange: (uri: string) => void;
  /** Content above the field that scrolls with it. */
  readonly children: ReactNode;
}

/** Form for a URI typed by the user. */
export function UriForm({ server, uri, onChange, children }: UriFormProps): ReactNode {
  return (
    <ReadForm one="resource" server={server} uri={uri.trim() === "" ? null : uri} why="Enter a URI." about={BY_HAND}>
      {children}
      <div className="stack gap12 shrink" data-form {...focusMark(focusNames.uri)}>
        <TextInput label="URI" mono value={uri} onChange={onChange} />
      </div>
    </ReadForm>
  );
}

/** A resource outside of the lists: its URI was found in a result, or typed. */
export function UriView({ server, uri }: { readonly server: ServerId; readonly uri: string }): ReactNode {
  const actions = useActions().get(catalogActions);
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
