import { Braces } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { DocumentSource, ServerId } from "../ipc/bindings";
import { prettyJson } from "../schema/print";
import { Button } from "./Button";
import { Code } from "./Code";
import { PaneButtons } from "./PaneButtons";
import styles from "./PaneHead.module.css";
import { DocumentViewer } from "./viewer/DocumentViewer";
import { isCut } from "./viewer/ShowAll";

export interface PaneHeadProps {
  readonly server: ServerId;
  /** Name of the pane in the labels of its buttons: `form`. */
  readonly label: string;
  readonly title: string;
  /** Shown before the title. */
  readonly icon?: ReactNode;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  /** Definition of the item by its server, collapsed. */
  readonly definition?: Definition;
  /** Shown below the title. */
  readonly children?: ReactNode;
}

export interface Definition {
  /** Word for an item of the kind: `Tool`. */
  readonly name: string;
  readonly source: DocumentSource;
  /** JSON text, possibly cut. */
  readonly raw: string;
  /** JSON Pointer to the part to show. */
  readonly pointer: string | null;
  /** Shown with the definition. */
  readonly more?: ReactNode;
}

/** Head of the pane of one item: title and pane buttons in one line, further content below. */
export function PaneHead({ server, label, title, icon, beside, definition, children }: PaneHeadProps): ReactNode {
  const [open, setOpen] = useState(false);
  const pointer = definition?.pointer ?? null;
  const [shown, setShown] = useState<string | null>(null);
  if (pointer !== shown) {
    setShown(pointer);
    if (pointer !== null) setOpen(true);
  }
  return (
    <header className="stack gap4">
      <div className="flexed alignStart gap4">
        {icon}
        <div className="wrap grow gap2x8">
          <h2 className={styles.title}>{title}</h2>
          {beside}
          {definition && (
            <Button small kind="quiet" icon={Braces} aria-expanded={open} onClick={() => setOpen(!open)}>
              {definition.name} definition (raw)
            </Button>
          )}
        </div>
        <PaneButtons server={server} pane="form" label={label} />
      </div>
      {open && definition?.more}
      {open &&
        definition &&
        (isCut(definition.raw) || pointer !== null ? (
          <DocumentViewer key={definition.raw} label="Definition" source={definition.source} pointer={pointer} />
        ) : (
          <Code label="Definition" text={prettyJson(definition.raw)} />
        ))}
      {children}
    </header>
  );
}
