import { GitCompare, Pencil, Pin, PinOff, RotateCw } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button, IconButton } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { Freshness } from "../../components/Freshness";
import { PaneButtons } from "../../components/PaneButtons";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import { DocumentViewer } from "../../components/viewer/DocumentViewer";
import type { OperationView, ToolDetail } from "../../ipc/bindings";
import { count, duration } from "../../lib/format";
import { operationActions } from "../../state/actions/operations";
import { wireActions } from "../../state/actions/wire";
import { useActions, useApp, useAppState, useIsReady, useSliceValue } from "../../state/hooks";
import { isByHand, isReading } from "../../state/operationName";
import { type Fetched, useFetched, useItemOfRun, useWholeOperation } from "../../state/queries";
import { runsSlice } from "../../state/slices/runs";
import { useIssuePlace } from "../../state/useIssuePlace";
import { AppSection } from "./app/AppSection";
import { useFromCache } from "./FromCache";
import { LabelForm } from "./LabelForm";
import { LogMessages } from "./LogMessages";
import { previousRun } from "./previousRun";
import { ProgressRates } from "./ProgressRates";
import { RequiredPages } from "./RequiredPages";
import { rereading } from "./rereading";
import { ResultView } from "./result/ResultView";
import { editArguments, goneSentence, notAgain, runAgain } from "./runCommands";
import styles from "./runs.module.css";
import { tookText } from "./runWords";
import { TaskDetails } from "./task/TaskDetails";
import { afterwards } from "./task/taskWords";

export interface RunBodyProps {
  readonly operation: OperationView;
}

/** Body of a selected card: the actions on the run, its result, and the exact messages. */
export function RunBody({ operation }: RunBodyProps): ReactNode {
  const actions = useActions().get(wireActions);
  const over = operation.state === "finished";
  const params = isByHand(operation) ? "Params" : "Further params";
  const { earlier } = operation;
  const pointer = useIssuePlace(operation.server, `run ${operation.operation}`);
  const whole = useWholeOperation(operation);
  // Of a run in progress, the window holds everything that it shows.
  const { note } = (over ? whole.value : undefined)?.label ?? operation.label;
  const after = over ? afterwards(operation) : null;
  const labelling = useSliceValue(operation.server, runsSlice, (ui) => ui.labelling === operation.operation);
  return (
    <>
      <RunActions operation={operation} />
      {labelling && <LabelForm operation={operation} />}
      {!labelling && note !== null && <p className="asWritten breakable">{note}</p>}
      {operation.needs_handshake !== null && <NeedsHandshake operation={operation} says={operation.needs_handshake} />}
      <AppOfRun key={operation.operation} operation={operation} />
      {over && whole.value && <RequiredPages operation={whole.value} />}
      {over && <WholeResult whole={whole} />}
      {after !== null && <p className="muted">{after}</p>}
      {operation.task && <TaskDetails task={whole.value?.task ?? operation.task} />}
      {operation.freshness !== null && <RunFreshness operation={operation} says={operation.freshness} />}
      {earlier?.arguments_redacted === true && (
        <p className="muted">
          Secrets in the arguments were replaced before the run was stored. Enter them again to run it.
        </p>
      )}
      {over && <LogMessages operation={operation} />}
      {(operation.late > 0 || operation.message_issues > 0) && (
        <p className="muted">
          {operation.late > 0 &&
            `${count(operation.late, "message", "messages")} for this run arrived after it ended. `}
          {operation.message_issues > 0 &&
            `The messages of this run have ${count(operation.message_issues, "issue", "issues")}. `}
          <Button small kind="quiet" onClick={() => actions.showOperationFrames(operation.operation)}>
            Show in wire log
          </Button>
        </p>
      )}
      {(operation.progress?.count ?? 0) > 1 && (
        <Disclosure summary="Rate of progress">
          <ProgressRates operation={operation} />
        </Disclosure>
      )}
      {operation.arguments !== null && (
        <Folded title="Arguments" label="Arguments as sent" type="arguments" operation={operation} />
      )}
      {operation.params !== null && (
        <Folded title={params} label={`${params} as typed`} type="params" operation={operation} />
      )}
      {earlier !== null ? (
        <EarlierMessages operation={operation} kept={earlier.transcript} />
      ) : (
        <Disclosure summary="Raw request and response" open={pointer !== null} reveal={pointer === null ? 0 : 1}>
          <Frame
            operation={operation}
            seq={operation.request_seq}
            label="Request"
            missing="The request was not sent."
          />
          <Frame
            operation={operation}
            seq={operation.response_seq}
            label="Response"
            missing={
              operation.notification ? "A notification has no response." : over ? "No response." : "No response yet."
            }
            pointer={pointer}
            times={operation.response_seq !== null && <Times operation={operation} seq={operation.response_seq} />}
          />
        </Disclosure>
      )}
    </>
  );
}

interface FoldedProps extends RunBodyProps {
  readonly title: string;
  readonly label: string;
  readonly type: "arguments" | "params" | "transcript";
}

/** A collapsed document of the run. */
function Folded({ title, label, type, operation }: FoldedProps): ReactNode {
  return (
    <Disclosure summary={title}>
      <DocumentViewer
        label={label}
        source={{ type, operation: operation.operation }}
        modes={type === "transcript" ? ["raw"] : ["pretty", "tree", "raw"]}
        height={240}
      />
    </Disclosure>
  );
}

/** Messages of a run from an earlier start, if they were kept. */
function EarlierMessages({ operation, kept }: RunBodyProps & { readonly kept: boolean }): ReactNode {
  return kept ? (
    <Folded title="Messages" label="Messages of the run" type="transcript" operation={operation} />
  ) : (
    <p className="muted">
      This run is from before Sonde was last started. Messages are stored only for runs with a pin, a name or a note.
    </p>
  );
}

/** The app of the run's tool, if it has one. It stays when the server stops listing the tool or the app. */
function AppOfRun({ operation }: RunBodyProps): ReactNode {
  const listed = useItemOfRun(operation).value;
  const [tool, setTool] = useState<ToolDetail | null>(null);
  if (listed && "app" in listed && listed.app.resource_uri !== null && listed !== tool) setTool(listed);
  const uri = tool?.app.resource_uri ?? null;
  return tool !== null && uri !== null && <AppSection operation={operation} tool={tool} uri={uri} />;
}

/** The result, once all of it is loaded. */
function WholeResult({ whole }: { readonly whole: Fetched<OperationView> }): ReactNode {
  if (whole.state === "failed") {
    return (
      <Callout level="error" title="The result could not be read.">
        {whole.error.message}
      </Callout>
    );
  }
  if (!whole.value?.outcome) return <p className="muted">Reading the result…</p>;
  return <ResultView operation={whole.value} />;
}

/** Cache state of a read, with the remaining time. */
function RunFreshness({ operation, says }: RunBodyProps & { readonly says: string }): ReactNode {
  const fresh = useAppState(({ live }) => rereading(operation, live));
  return (
    <Freshness
      className="muted"
      says={says}
      until={operation.fresh_until}
      fresh={fresh}
      stale="Expired: Read asks the server."
    />
  );
}

/** Explains that the server supports this request only after a handshake, with buttons to reconnect. */
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
      {says}
    </Callout>
  );
}

interface FrameProps extends RunBodyProps {
  readonly seq: number | null;
  readonly label: string;
  readonly missing: string;
  readonly pointer?: string | null;
  readonly times?: ReactNode;
}

function Frame({ operation, seq, label, missing, pointer = null, times }: FrameProps): ReactNode {
  return (
    <section className={styles.frame} aria-label={label}>
      <h3 className={styles.frameTitle}>
        {label}
        {seq !== null && <span className={styles.faint}> · log entry {seq}</span>}
        {times}
      </h3>
      {seq === null ? (
        <p className={styles.faint}>{missing}</p>
      ) : (
        <DocumentViewer
          label={`${label} as recorded`}
          source={{ type: "log_entry", server: operation.server, seq }}
          modes={["pretty", "raw", "tree"]}
          pointer={pointer}
          height={300}
        />
      )}
    </section>
  );
}

/** Time to the response, and that of the whole run if it is longer than its last request. */
function Times({ operation, seq }: { readonly operation: OperationView; readonly seq: number }): ReactNode {
  const { server, micros: run } = operation;
  const { value } = useFetched(`${server}\n${seq}`, "", (backend) => backend.call("log_detail", { server, seq }));
  const response = value?.row.micros ?? null;
  if (response === null || run === null) return null;
  const [last, whole] = [duration(response), tookText(operation)];
  const more = last === whole ? "" : `; the run took ${whole}, from its first request to this response`;
  return <span className={styles.faint}>{` · ${last} after the request${more}`}</span>;
}

const FORBIDDEN = "The protocol forbids calling this tool; the form says why";

function RunActions({ operation }: RunBodyProps): ReactNode {
  const app = useApp();
  const ready = useIsReady(operation.server);
  const tool = useItemOfRun(operation);
  // Assumed to be listed until the host says otherwise.
  const key = tool.state === "failed" ? null : operation.key;
  const never = notAgain({ ...operation, key });
  const { pinned } = operation.label;
  const byHand = isByHand(operation);
  const reads = isReading(operation);
  const fromCache = useFromCache(operation) > 0;
  const previous = useAppState((state) => (reads ? previousRun(operation, state) : null));
  const forbidden = (tool.value?.row.forbidden ?? null) !== null;
  const readAgain = fromCache ? "Ask the server: this was shown from the cache" : "Read the same URI";
  const again = byHand ? "Send again" : reads ? readAgain : "Run with the same arguments";
  return (
    <div className="row gapS1">
      <Button
        small
        icon={RotateCw}
        disabled={!ready || never !== null || forbidden}
        title={ready ? (never ?? (forbidden ? FORBIDDEN : again)) : "Connect first"}
        onClick={() => void runAgain(app, operation)}
      >
        <span className={styles.action}>{reads ? (fromCache ? "Ask again" : "Read again") : "Run again"}</span>
      </Button>
      {!reads && (
        <Button
          small
          icon={Pencil}
          disabled={key === null && !byHand}
          title={
            byHand
              ? "Put this message into the form"
              : key === null
                ? goneSentence(operation)
                : "Put these arguments into the form"
          }
          onClick={() => void editArguments(app, operation)}
        >
          <span className={styles.action}>{byHand ? "Edit" : "Edit arguments"}</span>
        </Button>
      )}
      {previous !== null && (
        <Button
          small
          icon={GitCompare}
          title="Compare with the previous reading"
          onClick={() => app.actions.openPanel({ type: "compare", first: previous, second: operation.operation })}
        >
          <span className={styles.longAction}>Compare with the previous reading</span>
        </Button>
      )}
      <span className="inlineRow pushRight">
        <IconButton
          small
          label={pinned ? "Unpin this run" : "Pin this run"}
          icon={pinned ? PinOff : Pin}
          onClick={() => void app.actions.get(operationActions).labelRun(operation.operation, { pinned: !pinned })}
        />
        <PaneButtons server={operation.server} pane="run" label="run" />
        <SubjectMenuButton
          small
          label="More actions for this run"
          subject={{ type: "run", operation: operation.operation }}
        />
      </span>
    </div>
  );
}
