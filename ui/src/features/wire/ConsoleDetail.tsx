import { Activity, ArrowLeftRight } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import type { LogDetail, ServerId } from "../../ipc/bindings";
import { clockTime } from "../../lib/format";
import { escapesOf } from "../../lib/visible";
import { wireActions } from "../../state/actions/wire";
import { useActions } from "../../state/hooks";
import { LEVELS } from "../../state/view";
import { EntryPane, GoToRun, type EntryProps } from "./EntryPane";
import styles from "./wire.module.css";
import { KIND_WORDS } from "./wireWords";

/** Details of a console line: the data of a log message as a document, and its run. */
export function ConsoleDetail({ server, seq, onClose }: EntryProps): ReactNode {
  return (
    <EntryPane server={server} seq={seq} label={`Console line ${seq}`} title={titleOf} onClose={onClose}>
      {(detail) => <Detail server={server} detail={detail} />}
    </EntryPane>
  );
}

function titleOf({ row }: LogDetail): string {
  const { level, logger, kind } = row;
  const what = level === null ? KIND_WORDS[kind] : (LEVELS[level] ?? "log");
  return logger === null ? what : `${what} · ${escapesOf(logger)}`;
}

function Detail({ server, detail }: { readonly server: ServerId; readonly detail: LogDetail }): ReactNode {
  const actions = useActions().get(wireActions);
  const { row } = detail;

  const isMessage = row.kind === "notification";
  return (
    <>
      <div className={styles.detailActions}>
        <span className="note">{clockTime(row.at)}</span>
        <GoToRun row={row} />
        {row.kind === "rule" && row.partner !== null && (
          <Button
            small
            icon={ArrowLeftRight}
            onClick={() => row.partner !== null && actions.showLogEntry(server, row.partner)}
          >
            Go to request
          </Button>
        )}
        <Button small icon={Activity} onClick={() => actions.showLogEntry(server, row.seq)}>
          Show in wire log
        </Button>
      </div>
      {isMessage && row.operation === null && (
        <p className="note">
          {row.ambiguous
            ? "Several runs were in progress. The protocol does not say which of them this message belongs to."
            : "No run was in progress, or the message arrived outside a run’s stream."}
        </p>
      )}
      {row.kind === "rule" && <p className="selectable">{escapesOf(row.preview)}</p>}
      {row.has_body && (
        <div className={styles.document}>
          <DocumentViewer
            label={isMessage ? "Data" : "Line"}
            source={{ type: isMessage ? "log_data" : "log_entry", server, seq: row.seq }}
            modes={isMessage ? ["tree", "pretty", "raw"] : ["raw"]}
            height="fill"
            expectJson={false}
          />
        </div>
      )}
    </>
  );
}
