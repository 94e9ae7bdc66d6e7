import type { ReactNode } from "react";

import type { DocumentSource, ItemExtras as Extras, ServerId } from "../ipc/bindings";
import { prettyJson } from "../schema/print";
import { Code } from "./Code";
import { Disclosure } from "./Disclosure";
import { Icons } from "./Icons";
import { DocumentViewer } from "./viewer/DocumentViewer";
import { isCut } from "./viewer/ShowAll";

export interface ItemExtrasProps {
  readonly server: ServerId;
  readonly extras: Extras;
  /** Document with the whole `_meta`; `label` names it. */
  readonly definition: DocumentSource;
  readonly label?: string;
}

/** Icons and `_meta` of an item or of a piece of content, each collapsed. */
export function ItemExtras({ server, extras, definition, label = "Definition" }: ItemExtrasProps): ReactNode {
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
          <MetaText meta={meta} source={definition} label={label} />
        </Disclosure>
      )}
    </>
  );
}

interface MetaTextProps {
  readonly meta: string;
  /** Document with the whole `_meta`. */
  readonly source: DocumentSource;
  /** Name of that document. */
  readonly label: string;
}

/** Shows the text of `_meta`, or the document that contains it if the text is too long. */
export function MetaText({ meta, source, label }: MetaTextProps): ReactNode {
  return isCut(meta) ? (
    <DocumentViewer label={label} source={source} />
  ) : (
    <Code label="_meta" text={prettyJson(meta)} />
  );
}
