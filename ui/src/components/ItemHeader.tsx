import type { ReactNode } from "react";

import type { CatalogKind, CatalogRow, ItemExtras as Extras, ServerId } from "../ipc/bindings";
import { itemName } from "../lib/itemName";
import { useIssuePlace } from "../state/hooks";
import { CopyButton } from "./CopyButton";
import { HeadIcon } from "./HeadIcon";
import { ItemDescription } from "./ItemDescription";
import { ItemExtras } from "./ItemExtras";
import { PaneHead } from "./PaneHead";

export interface ItemHeaderProps {
  readonly server: ServerId;
  readonly kind: CatalogKind;
  /** Word for an item of the kind: `Tool`. */
  readonly name: string;
  readonly row: CatalogRow;
  readonly description: string | null;
  readonly extras: Extras;
  /** The definition as JSON text, possibly cut. */
  readonly raw: string;
  /** Shown beside the name. */
  readonly badges?: ReactNode;
  /** Shown with the definition. */
  readonly details?: ReactNode;
}

/** Header of an item: title and name in one line, the description below, and the definition collapsed. */
export function ItemHeader({
  server,
  kind,
  name,
  row,
  description,
  extras,
  raw,
  badges,
  details,
}: ItemHeaderProps): ReactNode {
  const source = { type: "definition", server, kind, key: row.key } as const;
  const pointer = useIssuePlace(server, `item ${kind} ${row.key}`);
  return (
    <PaneHead
      server={server}
      label="form"
      title={itemName(row)}
      icon={<HeadIcon server={server} icons={extras.icons} />}
      beside={
        <>
          <span className="inlineRow selectable gap2 shrink muted">
            <code>{row.name}</code>
            <CopyButton text={row.name} label="Copy name" compact />
          </span>
          {badges}
        </>
      }
      definition={{ name, source, raw, pointer, more: details }}
    >
      <ItemDescription text={description} definition={source} />
      <ItemExtras key={row.key} server={server} extras={extras} definition={source} />
    </PaneHead>
  );
}
