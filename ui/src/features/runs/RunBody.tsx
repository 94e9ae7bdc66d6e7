import { FileText, Forward, Pencil, RotateCw, Trash2, Waypoints } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { Menu } from "../../components/Menu";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import { MOST_COPIED, wholeText } from "../../components/viewer/copying";
import type { CallView } from "../../ipc/bindings";
import { copyText } from "../../lib/clipboard";
import { count } from "../../lib/format";
import { useActions, useBackend, useIsReady, useToolDetail } from "../../state/hooks";
import { CallMessages } from "./CallMessages";
import { ResultView } from "./result/ResultView";
import styles from "./runs.module.css";

export interface RunBodyProps {
  readonly call: CallView;
}

/** What a selected card shows: what can be done with the run, its result, and the exact protocol. */
export function RunBody({ call }: RunBodyProps): ReactNode {
  const over = call.state === "finished";
  return (
    <>
      <RunActions call={call} />
      {over && <ResultView call={call} />}
      {over && <CallMessages call={call} />}
      {call.late > 0 && (
        <p className={styles.note}>
          {count(call.late, "message", "messages")} for this run arrived after it ended. See the wire log.
        </p>
      )}
      {call.arguments !== null && (
        <Disclosure summary="Arguments">
          <DocumentViewer
            label="Arguments as sent"
            source={{ type: "arguments", call: call.call }}
            modes={["pretty", "tree", "raw"]}
            height={240}
          />
        </Disclosure>
      )}
      <Disclosure summary="Raw request and response">
        <Frame call={call} seq={call.request_seq} label="Request" missing="The request was not sent." />
        <Frame
          call={call}
          seq={call.response_seq}
          label="Response"
          missing={over ? "No response." : "No response yet."}
        />
      </Disclosure>
    </>
  );
}

function Frame(props: {
  readonly call: CallView;
  readonly seq: number | null;
  readonly label: string;
  readonly missing: string;
}): ReactNode {
  const { call, seq, label, missing } = props;
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
          source={{ type: "log_entry", server: call.server, seq }}
          modes={["pretty", "raw", "tree"]}
          height={300}
        />
      )}
    </section>
  );
}

function RunActions({ call }: RunBodyProps): ReactNode {
  const actions = useActions();
  const backend = useBackend();
  const ready = useIsReady(call.server);
  const tool = useToolDetail(call.server, call.key ?? "");
  // Taken to be in the list until the host says that it is not.
  const key = tool.state === "failed" ? null : call.key;
  const forbidden = (tool.value?.row.forbidden ?? null) !== null;
  const over = call.state === "finished";
  const answered = call.outcome?.type === "result" || call.outcome?.type === "protocol_error";

  /** All of the arguments; the view holds only short ones. */
  const argumentsText = async (): Promise<string | null> => {
    if (call.arguments === null) return null;
    return wholeText(backend, { type: "arguments", call: call.call }, 0);
  };
  const again = async (): Promise<void> => {
    if (key === null) return;
    const text = await actions.attempt(argumentsText(), call.server);
    if (text !== undefined) await actions.run(call.server, key, text);
  };
  const edit = async (): Promise<void> => {
    if (key === null) return;
    const text = await actions.attempt(argumentsText(), call.server);
    if (text !== undefined) await actions.restoreArguments(call.server, key, text ?? "{}");
  };
  const copyArguments = (): void => {
    void actions.attempt(
      argumentsText().then((text) => copyText(text ?? "")),
      call.server,
    );
  };
  const copyResult = (): void => {
    const outcome = call.outcome;
    const only = outcome?.type === "result" && outcome.content.length === 1 ? outcome.content[0] : undefined;
    const source =
      only?.kind === "text" && outcome?.type === "result" && !outcome.structured
        ? ({ type: "content", call: call.call, index: 0 } as const)
        : ({ type: "answer", call: call.call } as const);
    const size = outcome?.type === "result" ? outcome.bytes : 0;
    void actions.attempt(wholeText(backend, source, size).then(copyText), call.server);
  };
  const tooLarge = call.outcome?.type === "result" && call.outcome.bytes > MOST_COPIED;

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
        title={key === null ? "The server no longer has this tool" : "Copy these arguments into the form"}
        onClick={() => void edit()}
      >
        Edit arguments
      </Button>
      <span className={styles.push}>
        <Menu
          small
          label="More actions for this run"
          items={[
            { label: "Show in wire log", icon: Waypoints, onSelect: () => actions.showCallFrames(call.call) },
            { label: "Copy result", icon: FileText, onSelect: copyResult, disabled: !answered || tooLarge },
            { label: "Copy arguments", icon: Forward, onSelect: copyArguments, disabled: call.arguments === null },
            "separator",
            {
              label: "Delete",
              icon: Trash2,
              onSelect: () => void actions.forget(call.call),
              disabled: !over,
              danger: true,
            },
          ]}
        />
      </span>
    </div>
  );
}
