import { ChevronLeft, ChevronRight, Pencil, Play, RotateCw, Square } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { hasFields, PlainForm } from "../../../components/form/PlainForm";
import type { OperationView, PresentationStep } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import { useActions, useAppState } from "../../../state/hooks";
import { FilledIn } from "./FilledIn";
import styles from "./give.module.css";
import { Inputs } from "./Inputs";
import { LinkLine } from "./LinkLine";
import { Question } from "./Question";
import { Ended, Running, useQuestions } from "./RunView";
import { useStep, type StepNow } from "./useStep";
import { troubleOf } from "./words";

export interface StepViewProps {
  readonly step: PresentationStep;
  readonly place: number;
  readonly count: number;
  /** The question whether a program may be started. */
  readonly confirm: (server: string) => ReactNode;
}

/** One step: its title, what is filled in, what goes on, how it ended, and the buttons below. */
export function StepView({ step, place, count, confirm }: StepViewProps): ReactNode {
  const now = useStep(step);
  const { face, link, operation } = now;
  const notes = useAppState(({ view }) => view.giving?.notes ?? false);
  const stage = useRef<HTMLElement>(null);
  const main = useRef<HTMLDivElement>(null);
  // Where what had the focus is gone, it goes to what comes next: the button, or what there is to read.
  useEffect(() => {
    const at = document.activeElement;
    if (at !== null && at !== document.body && at !== stage.current) return;
    const button = main.current?.querySelector<HTMLElement>("button:not(:disabled)");
    if (face === "form" && button) button.focus();
    else stage.current?.focus({ preventScroll: true });
  }, [step.id, face, now.why]);
  useEffect(() => {
    if (stage.current) stage.current.scrollTop = 0;
  }, [step.id, face]);
  return (
    <>
      <main ref={stage} className={styles.stage} tabIndex={-1} data-focus="inset">
        <div className={styles.column}>
          <h1 className={styles.title} data-quoted>
            {visibleText(step.title)}
          </h1>
          <LinkLine link={link} step={step} confirm={confirm} />
          {now.refused && (
            <p className={styles.why} role="alert">
              It could not be started. Try again.
            </p>
          )}
          {face === "form" && <Form step={step} now={now} />}
          {face === "running" && operation && <Running operation={operation} />}
          {face === "ended" && operation && (
            <>
              {now.given.document && <FilledIn document={now.given.document} />}
              <Ended operation={operation} changeable={isChangeable(now)} />
            </>
          )}
        </div>
      </main>
      {notes && <Notes text={step.notes} />}
      <footer className={styles.footer}>
        <Move by={-1} disabled={place === 0} />
        <div ref={main} className={styles.main}>
          <MainButtons now={now} />
        </div>
        <Move by={1} disabled={place >= count - 1} primary={face === "ended" && isDone(operation)} />
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
      {given.document && hasFields(given.document) ? (
        <PlainForm
          label="What to fill in"
          idPrefix={idPrefix}
          value={given.document}
          problems={problems}
          onChange={now.fill}
        />
      ) : (
        inputs.length === 0 && why === null && <p className={styles.quiet}>There is nothing to fill in.</p>
      )}
      {problems.length > 0 && (
        <div className={styles.doubt} role="status">
          <span>Something above needs another look.</span>
          <Button onClick={() => void now.run(true)}>Run anyway</Button>
        </div>
      )}
    </>
  );
}

function Notes({ text }: { readonly text: string }): ReactNode {
  return (
    <aside className={styles.notes} aria-label="Notes" tabIndex={0} data-focus="inset">
      {text === "" ? <span className={styles.quiet}>No notes for this step.</span> : <p data-quoted>{text}</p>}
    </aside>
  );
}

/** There is a result, so that the next step is what follows. */
function isDone(operation: OperationView | undefined): boolean {
  const outcome = operation?.outcome ?? null;
  return outcome !== null && troubleOf(outcome) === null;
}

interface MoveProps {
  readonly by: 1 | -1;
  readonly disabled: boolean;
  readonly primary?: boolean;
}

function Move({ by, disabled, primary = false }: MoveProps): ReactNode {
  const actions = useActions();
  return (
    <Button
      large
      kind={primary && !disabled ? "primary" : "plain"}
      className={by === 1 ? styles.next : styles.previous}
      disabled={disabled}
      onClick={() => actions.give({ type: "move", by })}
    >
      {by === -1 && <ChevronLeft aria-hidden />}
      {by === 1 ? "Next" : "Previous"}
      {by === 1 && <ChevronRight aria-hidden />}
    </Button>
  );
}

/** There is something to fill in or to choose. */
function isChangeable({ inputs, given }: StepNow): boolean {
  return inputs.length > 0 || (given.document !== null && hasFields(given.document));
}

/** The one thing to do, always in the same place. */
function MainButtons({ now }: { readonly now: StepNow }): ReactNode {
  const actions = useActions();
  const { face, operation, why } = now;
  if (face === "running" && operation) {
    const stopping = operation.state === "cancelling";
    return (
      <Button
        key="stop"
        large
        icon={Square}
        disabled={stopping}
        onClick={() => void actions.command("cancel_operation", { operation: operation.operation })}
      >
        {stopping ? "Stopping…" : "Stop"}
      </Button>
    );
  }
  if (face === "form") {
    return (
      <Button key="run" kind="primary" large icon={Play} disabled={why !== null} onClick={() => void now.run()}>
        Run
      </Button>
    );
  }
  const failed = !isDone(operation);
  return (
    <>
      <Button
        key="again"
        kind={failed ? "primary" : "plain"}
        large
        icon={RotateCw}
        disabled={why !== null}
        onClick={() => void now.run()}
      >
        {failed ? "Try again" : "Run again"}
      </Button>
      {isChangeable(now) && (
        <Button
          key="change"
          large
          icon={Pencil}
          onClick={() => operation && actions.give({ type: "change", step: now.step })}
        >
          Change
        </Button>
      )}
    </>
  );
}
