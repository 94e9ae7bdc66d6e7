import { ArrowLeftRight, CodeXml, Terminal } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { FindingsCallout } from "../../components/Findings";
import { HeaderTable } from "../../components/HeaderTable";
import { PaneButtons } from "../../components/PaneButtons";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import type { LogDetail, LogRow } from "../../ipc/bindings";
import { bytes, clockTime, count, duration } from "../../lib/format";
import { useApp, useServerUi } from "../../state/hooks";
import { useIssuePlace } from "../../state/useIssuePlace";
import { copyEntryAs } from "../../state/snippets/copySnippet";
import { EntryPane, GoToRun, type EntryProps } from "./EntryPane";
import styles from "./wire.module.css";
import { CAUSE_WORDS, directionWord, hasJsonBody, isAnswered, KIND_WORDS, NO_RESPONSE_WORDS } from "./wireWords";

export interface WireDetailProps extends EntryProps {
  /** The entry's row in the list, if it is loaded. A later response or issue changes it. */
  readonly row: LogRow | undefined;
  readonly onShow: (seq: number) => void;
}

/** Details of one entry of the log. */
export function WireDetail({ server, seq, row, onClose, onShow }: WireDetailProps): ReactNode {
  const maximized = useServerUi(server, (ui) => ui.maximized === "wire_entry");
  return (
    <EntryPane
      server={server}
      seq={seq}
      label={`Log entry ${seq}`}
      title={titleOf}
      version={JSON.stringify([row?.partner, row?.no_response, row?.findings])}
      buttons={<PaneButtons server={server} pane="wire_entry" label="log entry" />}
      maximized={maximized}
      onClose={onClose}
    >
      {(detail) => <Detail server={server} detail={detail} onShow={onShow} />}
    </EntryPane>
  );
}

function titleOf({ row }: LogDetail): string {
  return row.method === null ? KIND_WORDS[row.kind] : `${KIND_WORDS[row.kind]} · ${row.method}`;
}

interface DetailProps extends Pick<WireDetailProps, "server" | "onShow"> {
  readonly detail: LogDetail;
}

function Detail({ server, detail, onShow }: DetailProps): ReactNode {
  const { row } = detail;
  const app = useApp();
  const { actions, backend } = app;

  const pointer = useIssuePlace(server, `frame ${row.seq}`);
  const json = hasJsonBody(row.kind);
  const answered = isAnswered(row);
  const direction = directionWord(row);
  const facts: (string | false)[] = [
    direction !== "Local" && direction,
    clockTime(row.at),
    bytes(row.bytes),
    row.id !== null && `id ${row.id}`,
    row.micros !== null && `${answered ? "answered " : ""}after ${duration(row.micros)}`,
    row.cause !== null && (row.out ? `sent by Sonde: ${CAUSE_WORDS[row.cause]}` : `part of ${CAUSE_WORDS[row.cause]}`),
    `entry ${row.seq}`,
  ];
  return (
    <>
      <p className="note selectable breakable">{facts.filter(Boolean).join(" · ")}</p>
      <div className={styles.detailActions}>
        {row.partner !== null && (
          <Button small icon={ArrowLeftRight} onClick={() => row.partner !== null && onShow(row.partner)}>
            {row.kind === "request" ? "Go to response" : "Go to request"}
          </Button>
        )}
        {row.kind === "request" && row.partner === null && (
          <span className="note">
            {row.no_response === null ? "No response yet" : NO_RESPONSE_WORDS[row.no_response]}
          </span>
        )}
        <GoToRun row={row} />
        {detail.curl && (
          <Button
            small
            icon={Terminal}
            onClick={() =>
              void actions.copy(backend.call("log_curl", { server, seq: row.seq }), "curl command copied", server)
            }
          >
            Copy as curl
          </Button>
        )}
        {row.kind === "request" && row.out && (
          <>
            <Button small icon={CodeXml} onClick={() => copyEntryAs("typescript", app, server, row.seq)}>
              Copy as TypeScript
            </Button>
            <Button small icon={CodeXml} onClick={() => copyEntryAs("python", app, server, row.seq)}>
              Copy as Python
            </Button>
          </>
        )}
      </div>
      <FindingsCallout
        title={(heard) => count(heard, "protocol issue", "protocol issues")}
        findings={detail.findings}
        at={{ server, subject: `frame ${row.seq}` }}
      />
      {detail.redacted && <p className="note">A secret was replaced by a fingerprint when this was recorded.</p>}
      {detail.dropped > 0 && <p className="note">{bytes(detail.dropped)} were dropped because of the size limit.</p>}
      {detail.summary !== null && <pre className={styles.summary}>{detail.summary}</pre>}
      <HeaderTable className={styles.headers} label="Headers" headers={detail.headers} />
      {row.has_body && (
        <div className={styles.document}>
          <DocumentViewer
            label="Body"
            source={{ type: "log_entry", server, seq: row.seq }}
            modes={json ? ["pretty", "tree", "raw"] : ["raw"]}
            pointer={pointer}
            height="fill"
          />
        </div>
      )}
    </>
  );
}
