import { useState } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { Markdown } from "../../components/markdown/Markdown";
import { PaneButtons } from "../../components/PaneButtons";
import { isCut, ShowAll } from "../../components/viewer/ShowAll";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import { claims } from "../../components/toolClaims";
import type { DocumentSource, ServerId, ToolDetail } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { prettyJson } from "../../schema";
import styles from "./ToolHeader.module.css";

/** Title, name, claims and description of a tool; its definition one click below. */
export function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const { row } = detail;
  const definition: DocumentSource = { type: "definition", server, kind: "tools", key: row.key };
  const badges = claims(row);
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        <h2 className={styles.title}>{row.title ?? row.name}</h2>
        <span className={styles.name}>
          <code>{row.name}</code>
          <CopyButton text={row.name} label="Copy name" compact />
        </span>
        <span className={styles.push}>
          <PaneButtons server={server} pane="form" label="form" />
        </span>
      </div>
      {badges.length > 0 && (
        <div className={styles.badges}>
          {badges.map((claim) => (
            <Badge key={claim.label} tone={claim.tone} icon={claim.icon} tip={claim.tip}>
              {claim.label}
            </Badge>
          ))}
        </div>
      )}
      {detail.description !== null && detail.description.trim() !== "" ? (
        <>
          <Description text={detail.description} />
          <ShowAll text={detail.description} label="Definition" source={definition} />
        </>
      ) : (
        <p className={styles.quiet}>No description.</p>
      )}
      <Disclosure summary="Tool definition (raw)">
        {isCut(detail.raw) ? (
          <DocumentViewer label="Definition" source={definition} />
        ) : (
          <Code label="Definition" text={prettyJson(detail.raw)} />
        )}
      </Disclosure>
    </header>
  );
}

/** A long description is cut at first, so that the form stays in view. */
function Description({ text }: { text: string }) {
  const long = text.length > 480 || text.split("\n").length > 8;
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
