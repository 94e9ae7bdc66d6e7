import type { ReactNode } from "react";

import type { DocumentSource, ItemExtras as Extras, ServerId } from "../ipc/bindings";
import { prettyJson } from "../schema";
import { Code } from "./Code";
import { Disclosure } from "./Disclosure";
import { Icons } from "./Icons";
import { DocumentViewer } from "./viewer/DocumentViewer";
import { isCut } from "./viewer/ShowAll";

export interface ItemExtrasProps {
  readonly server: ServerId;
  readonly extras: Extras;
  /** Where all of the definition is. */
  readonly definition: DocumentSource;
}

/** What an item of any list may have beside what its kind has: icons and `_meta`, each one click away. */
export function ItemExtras({ server, extras, definition }: ItemExtrasProps): ReactNode {
  const { icons, meta } = extras;
  return (
    <>
      {icons.count > 0 && (
        <Disclosure summary={icons.count === 1 ? "1 icon" : `${icons.count} icons`}>
          <Icons server={server} icons={icons} />
        </Disclosure>
      )}
      {meta !== null && (
        <Disclosure summary={<code>_meta</code>}>
          <MetaText meta={meta} source={definition} label="Definition" />
        </Disclosure>
      )}
    </>
  );
}

interface MetaTextProps {
  readonly meta: string;
  /** Where it is whole. */
  readonly source: DocumentSource;
  /** What that is called. */
  readonly label: string;
}

/** The text of `_meta`; the document that has it, where it is too long. */
export function MetaText({ meta, source, label }: MetaTextProps): ReactNode {
  return isCut(meta) ? (
    <DocumentViewer label={label} source={source} />
  ) : (
    <Code label="_meta" text={prettyJson(meta)} />
  );
}
