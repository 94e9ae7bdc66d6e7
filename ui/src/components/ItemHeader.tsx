import { Braces } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { CatalogKind, CatalogRow, ServerId } from "../ipc/bindings";
import { itemName } from "../lib/itemName";
import { prettyJson } from "../schema";
import { Button } from "./Button";
import { Code } from "./Code";
import { CopyButton } from "./CopyButton";
import { ItemDescription } from "./ItemDescription";
import styles from "./ItemHeader.module.css";
import { PaneButtons } from "./PaneButtons";
import { DocumentViewer } from "./viewer/DocumentViewer";
import { isCut } from "./viewer/ShowAll";

export interface ItemHeaderProps {
  readonly server: ServerId;
  readonly kind: CatalogKind;
  /** What an item of the kind is called: `Tool`. */
  readonly name: string;
  readonly row: CatalogRow;
  readonly description: string | null;
  /** The definition as JSON text, maybe cut. */
  readonly raw: string;
  /** What stands beside its name. */
  readonly badges?: ReactNode;
}

/** Title and name of an item in one line, its description below; its definition one click away. */
export function ItemHeader({ server, kind, name, row, description, raw, badges }: ItemHeaderProps): ReactNode {
  const definition = { type: "definition", server, kind, key: row.key } as const;
  const [open, setOpen] = useState(false);
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <div className={styles.titles}>
          <h2 className={styles.title}>{itemName(row)}</h2>
          <span className={styles.name}>
            <code>{row.name}</code>
            <CopyButton text={row.name} label="Copy name" compact />
          </span>
          {badges}
          <Button small kind="quiet" icon={Braces} aria-expanded={open} onClick={() => setOpen(!open)}>
            {name} definition (raw)
          </Button>
        </div>
        <PaneButtons server={server} pane="form" label="form" />
      </div>
      {open &&
        (isCut(raw) ? (
          <DocumentViewer label="Definition" source={definition} />
        ) : (
          <Code label="Definition" text={prettyJson(raw)} />
        ))}
      <ItemDescription text={description} definition={definition} />
    </header>
  );
}
