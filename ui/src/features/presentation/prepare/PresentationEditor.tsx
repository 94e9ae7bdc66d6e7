import { ArrowLeft, FileDown, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Empty } from "../../../components/Empty";
import { TextInput } from "../../../components/Field";
import { commitThen } from "../../../lib/focus";
import { itemName } from "../../../lib/itemName";
import { Panel } from "../../../components/Panel";
import { useReorder } from "../../../components/reorder/useReorder";
import { SubjectMenuButton } from "../../../components/SubjectMenuButton";
import type { CatalogRow, PresentationStep, ServerId } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import { useActions, useReadState, useAppState } from "../../../state/hooks";
import { stepFor, preparingActions } from "../../../state/preparing";
import { presentationOf } from "../../../state/typedPresentations";
import { FindTool } from "./FindTool";
import styles from "./prepare.module.css";
import { StartButton } from "./StartButton";
import { StepCard } from "./StepCard";

interface PresentationEditorProps {
  /** Id of the presentation. */
  readonly presentation: string;
  /** Just added: the first typed text replaces its title. */
  readonly isNew?: boolean;
}

/** Editor of a presentation. Changes are saved as they are typed. */
export function PresentationEditor({ presentation: id, isNew = false }: PresentationEditorProps) {
  const actions = useActions();
  const preparing = actions.get(preparingActions);
  const read = useReadState();
  const presentation = useAppState((state) => presentationOf(state, id));
  const list = useRef<HTMLOListElement>(null);
  const find = useRef<HTMLButtonElement>(null);
  const titleField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isNew) return;
    titleField.current?.focus();
    titleField.current?.select();
  }, [isNew]);
  const [finding, setFinding] = useState(false);
  /** Id of the open step, which stays open when it is moved. */
  const [opened, setOpened] = useState<string | null>(null);
  /** Parts left out of the file that was just exported. */
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const { dragging, onKeyDown, handle } = useReorder(list, (from, to) => preparing.moveStep(id, from, to));

  const back = (
    <Button
      small
      kind="quiet"
      className={styles.back}
      icon={ArrowLeft}
      onClick={() => actions.openPanel({ type: "presentations" })}
    >
      All presentations
    </Button>
  );
  if (!presentation) {
    return (
      <Panel title="Presentation">
        <Empty title="This presentation was deleted" actions={back} />
      </Panel>
    );
  }
  const { title, steps } = presentation;
  const changeStep = (place: number, change: Partial<PresentationStep>, typed: boolean): void =>
    preparing.changePresentation(
      id,
      (now) => ({ ...now, steps: now.steps.map((step, index) => (index === place ? { ...step, ...change } : step)) }),
      typed,
    );
  const addStep = (server: ServerId, row: CatalogRow): void =>
    preparing.addStep(id, stepFor(read().live, server, row.key, itemName(row)));
  const closeFinding = (): void =>
    commitThen(
      () => setFinding(false),
      () => find.current?.focus(),
    );

  return (
    <Panel
      title="Prepare a presentation"
      lead={
        <div className="wrap spread gap4x8">
          {back}
          <span className="note">Saved as you type</span>
        </div>
      }
      footer={
        <>
          <StartButton presentation={presentation} />
          <Button icon={FileDown} onClick={() => void preparing.exportPresentation(id).then(setLeftOut)}>
            Export to a file
          </Button>
          <SubjectMenuButton
            label={`Actions for ${visibleText(title)}`}
            subject={{ type: "presentation", presentation: id }}
          />
        </>
      }
    >
      {leftOut.length > 0 && (
        <Callout level="info" role="status" title="Not part of the file" onDismiss={() => setLeftOut([])}>
          {leftOut.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Callout>
      )}
      <TextInput
        ref={titleField}
        label="Title"
        value={title}
        maxLength={200}
        error={title.trim() === "" ? "Enter a title. Until then the one before is kept." : undefined}
        onChange={(text) => preparing.changePresentation(id, (now) => ({ ...now, title: text }), true)}
      />
      <section className="stack gap8" aria-label="Steps">
        <div className="row gap8 minHeight24">
          <h2 className="heading">Steps</h2>
          <span className="note">
            {steps.length > 1 && "Drag them, or press Alt with an arrow, to change the order."}
          </span>
        </div>
        {steps.length === 0 && (
          <p className="note">No steps yet. Each step shows one tool, with the words and inputs that you choose.</p>
        )}
        {steps.length > 0 && (
          <ol ref={list} className="stack gap8 noBullets" onKeyDown={onKeyDown}>
            {steps.map((step, place) => (
              <StepCard
                key={step.id === "" ? place : step.id}
                presentation={id}
                step={step}
                place={place}
                steps={steps.length}
                open={opened !== null && opened === step.id}
                dragging={dragging}
                handle={handle(place)}
                onToggle={() => setOpened(opened === step.id ? null : step.id)}
                onChange={(change, typed = false) => changeStep(place, change, typed)}
              />
            ))}
          </ol>
        )}
        {finding ? (
          <FindTool onPick={addStep} onClose={closeFinding} />
        ) : (
          <div>
            <Button ref={find} small icon={Plus} onClick={() => setFinding(true)}>
              Add a step
            </Button>
          </div>
        )}
      </section>
    </Panel>
  );
}
