import { Check, Circle, CircleMinus, Download, ListChecks, Pencil, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { Panel } from "../../components/Panel";
import { Sentence } from "../../components/Prose";
import { SavedAs } from "../../components/SavedAs";
import { Sentences } from "../../components/Sentences";
import { Spinner } from "../../components/Spinner";
import type { Diagnosis, DiagnosisStep, ReportFormat, ServerId, StepOutcome } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { duration } from "../../lib/format";
import { visibleText } from "../../lib/visible";
import { useActions, useBackend, useServer, useAppState } from "../../state/hooks";
import styles from "./DiagnosisPanel.module.css";
import { countWords, OUTCOMES, resultWords } from "./diagnosisWords";

/** Steps of reaching a server, each with its attempt, outcome and advice; and a report to copy. */
export function DiagnosisPanel({ server }: { server: ServerId }): ReactNode {
  const view = useServer(server);
  const diagnosis = useAppState(({ live }) => live.diagnoses[server]);
  const backend = useBackend();
  const actions = useActions();
  const [saved, setSaved] = useState<{ readonly number: number; readonly path: string } | null>(null);
  const running = diagnosis?.state === "running";
  const over = diagnosis !== undefined && !running;
  const remember = (path: string | null | undefined): void => {
    if (diagnosis && path) setSaved({ number: diagnosis.number, path });
  };
  const save = async (format: ReportFormat): Promise<void> =>
    remember(await actions.command("save_diagnosis", { server, format }));
  const saveFrames = async (): Promise<void> => remember(await actions.command("save_diagnosis_log", { server }));
  return (
    <Panel
      title={`Diagnosis of ${visibleText(view?.config.name ?? "server")}`}
      lead="Tests each step of reaching the server, over a separate connection. Your session is not affected, and no tool is called."
      footer={
        <>
          <Button small icon={ListChecks} disabled={running} onClick={() => void actions.diagnose(server)}>
            {diagnosis ? "Diagnose again" : "Diagnose"}
          </Button>
          <Button small icon={Pencil} onClick={() => actions.openPanel({ type: "edit_server", server })}>
            Edit server
          </Button>
          {over && (
            <>
              <CopyButton
                label="Copy as Markdown"
                text={() => backend.call("diagnosis_report", { server, format: "markdown" })}
              />
              <Button small icon={Download} onClick={() => void save("html")}>
                Save as HTML
              </Button>
              <Button small icon={Download} onClick={() => void save("markdown")}>
                Save as Markdown
              </Button>
              <Button small icon={Download} onClick={() => void saveFrames()}>
                Save frames
              </Button>
            </>
          )}
          <Button small kind="quiet" onClick={() => actions.closePanel()}>
            Close
          </Button>
        </>
      }
    >
      {!diagnosis && <p>Not diagnosed since Sonde started.</p>}
      {diagnosis && running && (
        <div className="row gap12 minHeight32">
          <Spinner label={`Diagnosing: ${current(diagnosis)}…`} />
          <Button small icon={X} onClick={() => void actions.command("cancel_diagnosis", { server })}>
            Cancel
          </Button>
        </div>
      )}
      {diagnosis && over && <Result diagnosis={diagnosis} />}
      {diagnosis && saved !== null && saved.number === diagnosis.number && <SavedAs path={saved.path} />}
      {diagnosis && (
        <ol className="noBullets" aria-label="Steps">
          {diagnosis.steps.map((step) => (
            <Step key={`${diagnosis.number} ${step.code}`} step={step} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function current({ steps }: Diagnosis): string {
  return steps.find(({ outcome }) => outcome === "running")?.title ?? "one moment";
}

function Result({ diagnosis }: { diagnosis: Diagnosis }): ReactNode {
  const failed = diagnosis.steps.some(({ outcome }) => outcome === "fail");
  const complete = diagnosis.state === "done";
  return (
    <Callout level={failed ? "error" : complete ? "ok" : "warning"} role="status" title={resultWords(diagnosis)}>
      {countWords(diagnosis)}
      {diagnosis.millis !== null && ` in ${duration(diagnosis.millis * 1000)}`}
    </Callout>
  );
}

const COLOURS: Readonly<Partial<Record<StepOutcome, string>>> = { pass: "ok", fail: "bad" };

function Step({ step }: { step: DiagnosisStep }): ReactNode {
  const over = step.outcome !== "waiting" && step.outcome !== "running";
  return (
    <li className={styles.step}>
      <span className={cx(styles.icon, COLOURS[step.outcome])}>
        <Mark outcome={step.outcome} />
      </span>
      <div className="grow breakable textSelectable">
        <div className="row gap8">
          <h2 className="inheritSize strong">{step.title}</h2>
          <span className={COLOURS[step.outcome] ?? "muted"}>{OUTCOMES[step.outcome]}</span>
          {step.millis !== null && <span className="note digits pushRight">{duration(step.millis * 1000)}</span>}
        </div>
        {step.tried !== "" && <Sentence className="muted" text={step.tried} />}
        {step.found !== "" && <Sentence text={step.found} />}
        <Sentences of={step.fix} label={`What to do about ${step.title}`} />
        {over && step.detail.length > 0 && (
          <Disclosure summary="Details" open={step.outcome === "fail"}>
            <Code label={`Details of ${step.title}`} text={step.detail.map(visibleText).join("\n")} />
          </Disclosure>
        )}
      </div>
    </li>
  );
}

const MARKS = { pass: Check, fail: X, not_evaluated: CircleMinus, waiting: Circle };

function Mark({ outcome }: { outcome: StepOutcome }): ReactNode {
  if (outcome === "running") return <Spinner />;
  const Icon = MARKS[outcome];
  return <Icon size={15} aria-hidden />;
}
