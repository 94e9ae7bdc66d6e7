import { FileUp, Play, Plus, TriangleAlert } from "lucide-react";

import { Button } from "../../../components/Button";
import { Empty } from "../../../components/Empty";
import { OpenFile } from "../../../components/OpenFile";
import { Panel } from "../../../components/Panel";
import { SubjectMenuButton } from "../../../components/SubjectMenuButton";
import { VisibleText } from "../../../components/VisibleText";
import type { Presentation, PresentationStep } from "../../../ipc/bindings";
import { count } from "../../../lib/format";
import { readTextFile } from "../../../lib/textFile";
import { visibleText } from "../../../lib/visible";
import { useActions, useParts } from "../../../state/hooks";
import { preparingActions } from "../../../state/preparing";
import { presentationsOf } from "../../../state/typedPresentations";
import { subjectMark } from "../../../state/view";
import { StartButton } from "./StartButton";
import styles from "./prepare.module.css";
import { brokenSteps, summary } from "./prepareWords";

/** All presentations; with a step to add, the choice of its presentation. */
export function PresentationsPanel({ adding }: { readonly adding: PresentationStep | undefined }) {
  const actions = useActions();
  const { addDemoPresentation, addStep, newPresentation, openPresentation } = actions.get(preparingActions);
  const presentations = useParts(presentationsOf);
  const choose = (presentation: Presentation): void => {
    if (adding) addStep(presentation.id, adding);
    openPresentation(presentation.id);
  };
  const importing = (
    <OpenFile
      text="Import…"
      label="Presentation file"
      icon={FileUp}
      onOpen={(file) =>
        void actions.attempt(readTextFile(file).then((text) => actions.openPanel({ type: "import", text })))
      }
    />
  );
  if (presentations.length === 0) {
    return (
      <Panel title="Presentations">
        <Empty
          title="Show tools to people who do not program"
          actions={
            <>
              <Button kind="primary" icon={Plus} onClick={() => void newPresentation()}>
                New presentation
              </Button>
              <Button icon={Play} onClick={() => void addDemoPresentation()}>
                Add the demo server's presentation
              </Button>
              {importing}
            </>
          }
        >
          <p>
            A presentation shows the tools that you choose, one after the other, in large type and plain words. You
            prepare it once, and anybody can give it, also on another computer.
          </p>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title={adding ? "Add to presentation" : "Presentations"}
      lead={
        adding
          ? `Choose the presentation that gets the step “${visibleText(adding.title)}”.`
          : "Tools that you show to people one after the other, in large type and plain words."
      }
      footer={
        <>
          <Button
            kind={adding ? "plain" : "primary"}
            icon={Plus}
            onClick={() => void newPresentation(adding ? [adding] : [])}
          >
            {adding ? "Add to a new presentation" : "New presentation"}
          </Button>
          {!adding && importing}
        </>
      }
    >
      <ul className="stack gap8 noBullets" aria-label="Presentations">
        {presentations.map((presentation) => (
          <Card
            key={presentation.id}
            presentation={presentation}
            choosing={adding !== undefined}
            onChoose={() => choose(presentation)}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface CardProps {
  readonly presentation: Presentation;
  /** The presentation is chosen for a step, without other actions. */
  readonly choosing: boolean;
  readonly onChoose: () => void;
}

function Card({ presentation, choosing, onChoose }: CardProps) {
  const broken = brokenSteps(presentation);
  const name = visibleText(presentation.title);
  return (
    <li className={styles.card} {...subjectMark({ type: "presentation", presentation: presentation.id })}>
      <button type="button" className={styles.open} onClick={onChoose}>
        <span className="strong breakable">
          <VisibleText text={presentation.title} />
        </span>
        <span className="note breakable">{summary(presentation)}</span>
        {broken > 0 && (
          <span className={styles.problem}>
            <TriangleAlert size={13} aria-hidden />
            {count(broken, "step needs", "steps need")} attention
          </span>
        )}
      </button>
      {!choosing && (
        <>
          <StartButton presentation={presentation} small />
          <SubjectMenuButton
            label={`Actions for ${name}`}
            subject={{ type: "presentation", presentation: presentation.id }}
          />
        </>
      )}
    </li>
  );
}
