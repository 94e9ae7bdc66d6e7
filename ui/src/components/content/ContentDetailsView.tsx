import type { ReactNode } from "react";

import type { ContentDetails, DocumentSource, ServerId } from "../../ipc/bindings";
import { bytes } from "../../lib/format";
import { Disclosure } from "../Disclosure";
import { ItemExtras, MetaText } from "../ItemExtras";
import { audienceWords } from "../resourceFacts";
import { VisibleText } from "../VisibleText";

export interface ContentDetailsViewProps {
  readonly server: ServerId;
  readonly details: ContentDetails;
  /** The document of the whole result. */
  readonly answer: DocumentSource;
}

/** Metadata of a content block: annotations in one line, icons and `_meta` collapsed. */
export function ContentDetailsView({ server, details, answer }: ContentDetailsViewProps): ReactNode {
  const { resource_meta: resourceMeta, priority, size } = details;
  const audience = audienceWords(details);
  const facts = [
    size === null ? null : bytes(size),
    audience === null ? null : `For ${audience}`,
    priority === null ? null : `Priority ${priority}`,
    details.last_modified === null ? null : `Last modified ${details.last_modified}`,
  ].filter((fact) => fact !== null);
  return (
    <>
      {facts.length > 0 && (
        <p className="note">
          <VisibleText text={facts.join(" · ")} />
        </p>
      )}
      <ItemExtras server={server} extras={details} definition={answer} label="Result" />
      {resourceMeta !== null && (
        <Disclosure
          summary={
            <>
              <code>_meta</code> of the resource
            </>
          }
        >
          <MetaText meta={resourceMeta} source={answer} label="Result" />
        </Disclosure>
      )}
    </>
  );
}
