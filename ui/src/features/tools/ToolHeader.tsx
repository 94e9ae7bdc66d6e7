import { Braces } from "lucide-react";
import { useState } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { itemName } from "../../lib/itemName";
import { Markdown } from "../../components/markdown/Markdown";
import { PaneButtons } from "../../components/PaneButtons";
import { isCut, ShowAll } from "../../components/viewer/ShowAll";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import { claims } from "../../components/toolClaims";
import type { DocumentSource, ServerId, ToolDetail } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { prettyJson } from "../../schema";
import styles from "./ToolHeader.module.css";

/** Title, name and claims of a tool in one line, its description below; its definition one click away. */
export function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const { row } = detail;
  const definition: DocumentSource = { type: "definition", server, kind: "tools", key: row.key };
  const badges = claims(row);
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
          {badges.map((claim) => (
            <Badge key={claim.label} tone={claim.tone} icon={claim.icon} tip={claim.tip}>
              {claim.label}
            </Badge>
          ))}
          <Button small kind="quiet" icon={Braces} aria-expanded={open} onClick={() => setOpen(!open)}>
            Tool definition (raw)
          </Button>
        </div>
        <PaneButtons server={server} pane="form" label="form" />
      </div>
      {open &&
        (isCut(detail.raw) ? (
          <DocumentViewer label="Definition" source={definition} />
        ) : (
          <Code label="Definition" text={prettyJson(detail.raw)} />
        ))}
      {detail.description !== null && detail.description.trim() !== "" ? (
        <>
          <Description text={detail.description} />
          <ShowAll text={detail.description} label="Definition" source={definition} />
        </>
      ) : (
        <p className={styles.quiet}>No description.</p>
      )}
    </header>
  );
}

/** A long description is cut at first, so that the form stays in view. */
function Description({ text }: { text: string }) {
  const long = text.length > 200 || text.trim().split("\n").length > 3;
  const [whole, setWhole] = useState(false);
  return (
    <div>
      <div className={cx(long && !whole && styles.cut)}>
        <Markdown text={text} />
      </div>
      {long && (
        <Button small kind="quiet" className={styles.more} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show full description"}
        </Button>
      )}
    </div>
  );
}
