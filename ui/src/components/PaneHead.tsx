import { Braces } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { DocumentSource, ServerId } from "../ipc/bindings";
import { prettyJson } from "../schema";
import { Button } from "./Button";
import { Code } from "./Code";
import { PaneButtons } from "./PaneButtons";
import styles from "./PaneHead.module.css";
import { DocumentViewer } from "./viewer/DocumentViewer";
import { isCut } from "./viewer/ShowAll";

export interface PaneHeadProps {
  readonly server: ServerId;
  /** What the buttons of the pane call it: `form`. */
  readonly label: string;
  readonly title: string;
  /** What stands before the title. */
  readonly icon?: ReactNode;
  /** What stands beside the title. */
  readonly beside?: ReactNode;
  /** What the server says of the item; one click away. */
  readonly definition?: Definition;
  /** What stands below the title. */
  readonly children?: ReactNode;
}

export interface Definition {
  /** What an item of the kind is called: `Tool`. */
  readonly name: string;
  readonly source: DocumentSource;
  /** As JSON text, maybe cut. */
  readonly raw: string;
  /** A JSON Pointer to what is to be shown of it. */
  readonly pointer?: string | null;
  /** What else stands there. */
  readonly more?: ReactNode;
}

/** The head of the pane of one item: its title and the buttons of the pane in one line, with what is said of it below. */
export function PaneHead({ server, label, title, icon, beside, definition, children }: PaneHeadProps): ReactNode {
  const [open, setOpen] = useState(false);
  const pointer = definition?.pointer ?? null;
  const [shown, setShown] = useState<string | null>(null);
  if (pointer !== shown) {
    setShown(pointer);
    if (pointer !== null) setOpen(true);
  }
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        {icon}
        <div className={styles.titles}>
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
