import { FileText, Forward, Pencil, RotateCw, Trash2, Waypoints } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Menu } from "../../components/Menu";
import { PaneButtons } from "../../components/PaneButtons";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import { MOST_COPIED, wholeText } from "../../components/viewer/copying";
import type { OperationView } from "../../ipc/bindings";
import { copyText } from "../../lib/clipboard";
import { count } from "../../lib/format";
import { useActions, useBackend, useIsReady, useToolDetail } from "../../state/hooks";
import { LogMessages } from "./LogMessages";
import { ReconnectCallout } from "./ReconnectCallout";
import { ResultView } from "./result/ResultView";
import styles from "./runs.module.css";

export interface RunBodyProps {
  readonly operation: OperationView;
}

/** What a selected card shows: what can be done with the run, its result, and the exact protocol. */
export function RunBody({ operation }: RunBodyProps): ReactNode {
  const over = operation.state === "finished";
  return (
    <>
      <RunActions operation={operation} />
      {operation.needs_handshake !== null && <NeedsHandshake operation={operation} says={operation.needs_handshake} />}
      {over && <ReconnectCallout operation={operation} />}
      {over && <ResultView operation={operation} />}
      {over && <LogMessages operation={operation} />}
      {operation.late > 0 && (
        <p className={styles.note}>
          {count(operation.late, "message", "messages")} for this run arrived after it ended. See the wire log.
        </p>
      )}
      {operation.arguments !== null && (
        <Disclosure summary="Arguments">
          <DocumentViewer
            label="Arguments as sent"
            source={{ type: "arguments", operation: operation.operation }}
            modes={["pretty", "tree", "raw"]}
            height={240}
          />
        </Disclosure>
      )}
      <Disclosure summary="Raw request and response">
        <Frame operation={operation} seq={operation.request_seq} label="Request" missing="The request was not sent." />
        <Frame
          operation={operation}
          seq={operation.response_seq}
          label="Response"
          missing={over ? "No response." : "No response yet."}
        />
      </Disclosure>
    </>
  );
}

/** What the server can do after a handshake only, and the way there. */
function NeedsHandshake({ operation, says }: RunBodyProps & { readonly says: string }): ReactNode {
  const actions = useActions();
  const run = (keep: boolean): void => {
    void actions.command("run_with_handshake", { operation: operation.operation, keep });
  };
  return (
    <Callout
      level="warning"
      title="This needs the handshake."
      actions={
        <>
          <Button small onClick={() => run(false)}>
            Reconnect with the handshake and run again
          </Button>
          <Button small kind="quiet" onClick={() => run(true)}>
            Always use the handshake for this server
          </Button>
        </>
      }
    >
      <p>{says}</p>
    </Callout>
  );
}

function Frame(props: {
  readonly operation: OperationView;
  readonly seq: number | null;
  readonly label: string;
  readonly missing: string;
}): ReactNode {
  const { operation, seq, label, missing } = props;
  return (
    <section className={styles.frame} aria-label={label}>
      <h3 className={styles.frameTitle}>
        {label}
        {seq !== null && <span className={styles.faint}> · log entry {seq}</span>}
      </h3>
      {seq === null ? (
        <p className={styles.faint}>{missing}</p>
      ) : (
        <DocumentViewer
          label={`${label} as recorded`}
          source={{ type: "log_entry", server: operation.server, seq }}
          modes={["pretty", "raw", "tree"]}
          height={300}
        />
      )}
    </section>
  );
}

function RunActions({ operation }: RunBodyProps): ReactNode {
  const actions = useActions();
  const backend = useBackend();
  const ready = useIsReady(operation.server);
  const tool = useToolDetail(operation.server, operation.key ?? "");
  // Taken to be in the list until the host says that it is not.
  const key = tool.state === "failed" ? null : operation.key;
  const forbidden = (tool.value?.row.forbidden ?? null) !== null;
  const over = operation.state === "finished";
  const answered = operation.outcome?.type === "result" || operation.outcome?.type === "protocol_error";

  /** All of the arguments; the view holds only short ones. */
  const argumentsText = async (): Promise<string | null> => {
    if (operation.arguments === null) return null;
    return wholeText(backend, { type: "arguments", operation: operation.operation }, 0);
  };
  const again = async (): Promise<void> => {
    if (key === null) return;
    const text = await actions.attempt(argumentsText(), operation.server);
    if (text !== undefined) await actions.run(operation.server, key, text);
  };
  const edit = async (): Promise<void> => {
    if (key === null) return;
    const text = await actions.attempt(argumentsText(), operation.server);
    if (text !== undefined) await actions.restoreArguments(operation.server, key, text ?? "{}");
  };
  const copyArguments = (): void => {
    void actions.attempt(
      argumentsText().then((text) => copyText(text ?? "")),
      operation.server,
    );
  };
  const copyResult = (): void => {
    const outcome = operation.outcome;
    const only = outcome?.type === "result" && outcome.content.length === 1 ? outcome.content[0] : undefined;
    const source =
      only?.kind === "text" && outcome?.type === "result" && !outcome.structured
        ? ({ type: "content", operation: operation.operation, index: 0 } as const)
        : ({ type: "answer", operation: operation.operation } as const);
    const size = outcome?.type === "result" ? outcome.bytes : 0;
    void actions.attempt(wholeText(backend, source, size).then(copyText), operation.server);
  };
  const tooLarge = operation.outcome?.type === "result" && operation.outcome.bytes > MOST_COPIED;

  return (
    <div className={styles.actions}>
      <Button
        small
        icon={RotateCw}
        disabled={!ready || key === null || forbidden}
        title={
          !ready
            ? "Connect first"
            : key === null
              ? "The server no longer has this tool"
              : forbidden
                ? "The protocol forbids calling this tool; the form says why"
                : "Run with the same arguments"
        }
        onClick={() => void again()}
      >
        Run again
      </Button>
      <Button
        small
        icon={Pencil}
        disabled={key === null}
        title={key === null ? "The server no longer has this tool" : "Put these arguments into the form"}
        onClick={() => void edit()}
      >
        Edit arguments
      </Button>
      <span className={styles.push}>
        <PaneButtons server={operation.server} pane="run" label="run" />
        <Menu
          small
          label="More actions for this run"
          items={[
            {
              label: "Show in wire log",
              icon: Waypoints,
              onSelect: () => actions.showOperationFrames(operation.operation),
            },
            { label: "Copy result", icon: FileText, onSelect: copyResult, disabled: !answered || tooLarge },
            { label: "Copy arguments", icon: Forward, onSelect: copyArguments, disabled: operation.arguments === null },
            "separator",
            {
              label: "Delete",
              icon: Trash2,
              onSelect: () => void actions.deleteRuns(operation.server, [operation.operation]),
              disabled: !over,
              danger: true,
            },
          ]}
        />
      </span>
    </div>
  );
}
