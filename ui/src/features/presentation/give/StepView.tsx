import { ChevronLeft, ChevronRight, Pencil, Play, RotateCw, Square, TriangleAlert } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { hasFields, PlainForm } from "../../../components/form/PlainForm";
import type { OperationView, PresentationStep } from "../../../ipc/bindings";
import { once } from "../../../lib/once";
import { useActions, useAppState } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import { AlsoSent } from "./AlsoSent";
import { endsForm } from "./endsForm";
import { FilledIn } from "./FilledIn";
import styles from "./give.module.css";
import { Inputs } from "./Inputs";
import { LinkLine } from "./LinkLine";
import { LoadingContext } from "./loading";
import { focusNext } from "./next";
import { Asked } from "./Panels";
import { Question } from "./Question";
import { Ended, Running, useQuestions } from "./RunView";
import { useStep, type StepNow } from "./useStep";
import { troubleOf } from "./giveWords";

export interface StepViewProps {
  readonly step: PresentationStep;
  readonly place: number;
  readonly count: number;
}

/** One step: its title, its form, the run in progress or its outcome, and the buttons below. */
export function StepView({ step, place, count }: StepViewProps): ReactNode {
  const last = place >= count - 1;
  const now = useStep(step, last);
  const { link, operation } = now;
  // The running view stays until the result can be rendered, so that no empty page appears in between.
  const [loading, setLoading] = useState(0);
  const report = useCallback((change: 1 | -1) => setLoading((before) => before + change), []);
  const [ran, setRan] = useState(false);
  if (now.face === "running" && !ran) setRan(true);
  const face = now.face === "ended" && ran && loading > 0 ? "running" : now.face;
  const notes = useAppState(({ view }) => view.giving?.notes ?? false);
  const open = useAppState(({ view }) => view.giving?.open ?? null);
  const asked = useQuestions(step.server, operation ? operation.operation : null).length;
  const done = face !== "form" && face === now.face && goesOn(operation);
  const stage = useRef<HTMLElement>(null);
  const shown = useRef<string>(null);
  // After a change of step, or when the focused element disappears, focus the next element: the button, or the text to
  // read.
  useEffect(() => {
    const at = document.activeElement;
    const gone = at === null || at === document.body || (at instanceof HTMLButtonElement && at.disabled);
    // A question takes the focus itself.
    const arrived = shown.current !== step.id && at?.closest("main, [role=alertdialog]") === null;
    shown.current = step.id;
    if (!gone && !arrived && at !== stage.current) return;
    focusNext(stage.current);
  }, [step.id, face, link, done, open, asked, now.why, operation?.state]);
  useEffect(() => {
    if (stage.current) stage.current.scrollTop = 0;
  }, [step.id, face]);
  return (
    <>
      <main ref={stage} className="fit scrolls noRing" tabIndex={-1} data-focus="inset">
        <div className={styles.column}>
          <h1 className={styles.title} data-quoted>
            {now.title}
          </h1>
          <LinkLine link={link} step={step} last={last} lost={now.lost} />
          {now.refused && (
            <p className={styles.why} role="alert">
              It could not be started. Try again.
            </p>
          )}
          {face === "form" && <Form step={step} now={now} />}
          {face === "running" && operation && <Running operation={operation} />}
          {now.face === "ended" && operation && (
            <LoadingContext value={report}>
              <div className={styles.outcome} hidden={face !== "ended"}>
                {now.given.document && <FilledIn document={now.given.document} />}
                {/* The lost connection is reported above. */}
                {!now.lost && <Ended operation={operation} place={{ changeable: isChangeable(now), last }} />}
              </div>
            </LoadingContext>
          )}
        </div>
      </main>
      {notes && <Notes text={step.notes} />}
      {open === "run" && face !== "running" && (
        <Asked label="Run it?" action="Run it" keep="Do not run" onConfirm={() => void now.confirmed()}>
          This changes or deletes something. Run it?
        </Asked>
      )}
      <footer className={styles.footer} data-uncovered>
        <Move by={-1} disabled={place === 0} />
        <div className={styles.main}>
          <MainButtons now={{ ...now, face }} />
        </div>
        <Move by={1} primary={done} />
      </footer>
    </>
  );
}

function Form({ step, now }: { readonly step: PresentationStep; readonly now: StepNow }): ReactNode {
  const { given, inputs, problems, idPrefix, why } = now;
  const questions = useQuestions(step.server, null);
  return (
    <>
      {why !== null && why !== "" && (
        <p className={styles.why} role="status">
          {why}
        </p>
      )}
      {questions.map((request) => (
        <Question key={request} request={request} />
      ))}
      <Inputs inputs={inputs} taken={given.input} onTake={now.take} />
      {now.destructive && (
        <p className={styles.why}>
          <TriangleAlert aria-hidden /> This changes or deletes something.
        </p>
      )}
      {given.document && hasFields(given.document) ? (
        <div
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.repeat || event.defaultPrevented || why !== null) return;
            if (!endsForm(event)) return;
            event.preventDefault();
            void now.run();
          }}
        >
          <PlainForm
            label="What to fill in"
            idPrefix={idPrefix}
            value={given.document}
            problems={problems}
            onChange={now.fill}
          />
        </div>
      ) : (
        inputs.length === 0 && why === null && <p className="muted">There is nothing to fill in.</p>
      )}
      {given.document && <AlsoSent document={given.document} />}
      {problems.length > 0 && (
        <div className="wrap gapS3" role="status">
          <span>Something above needs another look.</span>
          <Button onClick={once(() => now.run(true))}>Run anyway</Button>
        </div>
      )}
    </>
  );
}

function Notes({ text }: { readonly text: string }): ReactNode {
  return (
    <aside className={styles.notes} aria-label="Notes" tabIndex={0} data-focus="inset">
      {text === "" ? <span className="muted">No notes for this step.</span> : <p data-quoted>{text}</p>}
    </aside>
  );
}

/** True if there is a result, so that the next step follows. */
function isDone(operation: OperationView | undefined): boolean {
  const outcome = operation?.outcome ?? null;
  return outcome !== null && troubleOf(outcome) === null;
}

/**
 * True if the next step follows: there is a result, or the run was stopped. A server may take its time to stop; the
 * presentation does not wait.
 */
function goesOn(operation: OperationView | undefined): boolean {
  const stopped = operation?.outcome?.type === "cancelled" || operation?.outcome?.type === "stopped_waiting";
  return stopped || operation?.state === "cancelling" || isDone(operation);
}

interface MoveProps {
  readonly by: 1 | -1;
  readonly disabled?: boolean;
  /** Marks the button that comes next. */
  readonly primary?: boolean;
}

/** Button to another step; the end page follows the last one. */
export function Move({ by, disabled = false, primary = false }: MoveProps): ReactNode {
  const actions = useActions().get(presentationActions);
  return (
    <Button
      large
      kind={primary && !disabled ? "primary" : "plain"}
      className={by === 1 ? styles.next : styles.previous}
      disabled={disabled}
      data-next={primary ? "" : undefined}
      onClick={once(() => actions.give({ type: "move", by }))}
    >
      {by === -1 && <ChevronLeft aria-hidden />}
      {by === 1 ? "Next" : "Previous"}
      {by === 1 && <ChevronRight aria-hidden />}
    </Button>
  );
}

/** True if the step has fields or inputs to choose from. */
function isChangeable({ inputs, given }: StepNow): boolean {
  return inputs.length > 0 || (given.document !== null && hasFields(given.document));
}

/** Main buttons of a step, always in the same place. */
function MainButtons({ now }: { readonly now: StepNow }): ReactNode {
  const actions = useActions();
  const { face, link, lost, operation, why } = now;
  if (face === "running" && operation) {
    const stopping = operation.state === "cancelling";
    const over = operation.state === "finished";
    return (
      <Button
        key="stop"
        large
        icon={Square}
        disabled={stopping || over}
        data-next
        onClick={once(() => actions.command("cancel_operation", { operation: operation.operation }))}
      >
        {stopping ? "Stopping…" : "Stop"}
      </Button>
    );
  }
  if (face === "form") {
    return (
      <Button
        key="run"
        kind="primary"
        large
        icon={Play}
        disabled={why !== null}
        data-next
        onClick={once(() => now.run())}
      >
        Run
      </Button>
    );
  }
  const failed = !isDone(operation);
  const again = !goesOn(operation);
  return (
    <>
      <Button
        key="again"
        kind={again ? "primary" : "plain"}
        large
        icon={RotateCw}
        disabled={lost ? link === "connecting" : why !== null}
        data-next={again ? "" : undefined}
        onClick={once(() => (lost ? now.connectAndRun() : now.run()))}
      >
        {lost ? "Connect and run again" : failed ? "Try again" : "Run again"}
      </Button>
      {isChangeable(now) && (
        <Button
          key="change"
          large
          icon={Pencil}
          onClick={once(() => actions.get(presentationActions).give({ type: "change", step: now.step }))}
        >
          Change
        </Button>
      )}
    </>
  );
}
