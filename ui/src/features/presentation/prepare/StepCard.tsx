import { ChevronDown, ChevronRight, NotebookPen, TriangleAlert } from "lucide-react";
import { useId, type PointerEvent } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Checkbox, Select, TextArea, TextInput } from "../../../components/Field";
import { Marked } from "../../../components/Marked";
import { DragHandle } from "../../../components/reorder/DragHandle";
import reorder from "../../../components/reorder/reorder.module.css";
import { gapEdge, type Dragging } from "../../../components/reorder/useReorder";
import { SubjectMenuButton } from "../../../components/SubjectMenuButton";
import { VisibleText } from "../../../components/VisibleText";
import type { PresentationStep, ServerId, StepInput } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { visibleText } from "../../../lib/visible";
import { catalogActions } from "../../../state/actions/catalogs";
import { useActions, useAppState, useCatalog } from "../../../state/hooks";
import { preparingActions } from "../../../state/preparing";
import { useFetched } from "../../../state/queries";
import { useSavedInputs } from "../../../state/savedInputs";
import { subjectMark } from "../../../state/view";
import styles from "./prepare.module.css";
import { stepKind } from "../../../state/stepLink";
import { inputWords, problemWords, stepProblem, targetWord, type StepProblem } from "./prepareWords";

interface StepCardProps {
  readonly presentation: string;
  readonly step: PresentationStep;
  readonly place: number;
  /** Number of steps in the presentation. */
  readonly steps: number;
  readonly open: boolean;
  readonly dragging: Dragging | null;
  readonly handle: { readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void };
  readonly onToggle: () => void;
  /** `typed` changes are saved a moment after the last key. */
  readonly onChange: (change: Partial<PresentationStep>, typed?: boolean) => void;
}

/** A step of a presentation: its header and, if open, its settings. */
export function StepCard(props: StepCardProps) {
  const { presentation, step, place, steps, open, dragging, handle, onToggle, onChange } = props;
  const body = useId();
  const word = targetWord(step);
  const problem = stepProblem(step, useIsListed(step));
  const reasons = problemWords(step, problem);
  const title = visibleText(step.title);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li
      data-place={place}
      data-gap={gapEdge(dragging, place, steps)}
      className={cx(reorder.row, "box shrink", open && styles.stepOpen, dragging?.from === place && reorder.dragged)}
      {...subjectMark({ type: "step", presentation, place })}
    >
      <div className={styles.stepHead}>
        <DragHandle {...handle} />
        <button
          type="button"
          className={styles.stepToggle}
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          onClick={onToggle}
        >
          <span className="rigid muted digits width16 rightText">{place + 1}</span>
          <span className="stack grow">
            <span className="strong breakable">{title === "" ? "(no title)" : title}</span>
            <span className="note breakable">
              <Marked text={[step.server_name, step.target].join(" · ")} />
            </span>
            {/* An open step shows its problem with the possible actions. */}
            {reasons !== "" && !open && (
              <span className={styles.problem}>
                <TriangleAlert size={13} aria-hidden /> {reasons}
              </span>
            )}
          </span>
          <span className="inlineRow note rigid gap8">
            {inputWords(step.inputs)}
            {step.notes.trim() !== "" && <NotebookPen size={13} role="img" aria-label="has notes" />}
            {reasons !== "" && open && (
              <TriangleAlert size={14} role="img" aria-label="needs attention" className={styles.problem} />
            )}
            <Chevron size={14} aria-hidden />
          </span>
        </button>
        <SubjectMenuButton
          small
          label={`Actions for step ${place + 1}, ${title}`}
          subject={{ type: "step", presentation, place }}
        />
      </div>
      {open && (
        <div id={body} className={styles.stepBody} role="group" aria-label={`Step ${place + 1}`}>
          {problem && <Problem {...{ presentation, step, place, problem, onChange }} />}
          <TextInput
            label="Title"
            value={step.title}
            maxLength={200}
            hint="What the audience reads, in plain words."
            error={step.title.trim() === "" ? `Enter a title. Until then it is that of the ${word}.` : undefined}
            onChange={(text) => onChange({ title: text }, true)}
          />
          {word !== "resource" && <OfferedInputs step={step} onChange={onChange} />}
          <TextArea
            label="Speaker's notes"
            value={step.notes}
            rows={3}
            maxLength={10_000}
            prose
            hint="For whoever gives the presentation; hidden until they are shown with N."
            onChange={(text) => onChange({ notes: text }, true)}
          />
        </div>
      )}
    </li>
  );
}

/**
 * Looks up the target of a step in the server's list; `null` if that list is not known, and for resources, since a
 * server need not list all of them.
 */
function useIsListed({ server, method, target }: PresentationStep): boolean | null {
  const kind = stepKind(method);
  const listed = useCatalog(server, kind)?.revision ?? 0;
  const revision = kind === "resources" ? 0 : listed;
  const place = useFetched(`${server}\n${kind}\n${target}`, `${revision}`, async (backend) => {
    if (revision === 0) return undefined;
    return backend.call("catalog_index", { server, kind, search: "", key: target });
  });
  if (revision === 0 || place.state !== "done" || place.value === undefined) return null;
  return place.value !== null;
}

interface ProblemProps extends Pick<StepCardProps, "presentation" | "step" | "place" | "onChange"> {
  readonly problem: StepProblem;
}

/** Problem of a step, with the ways to solve it. */
function Problem({ presentation, step, place, problem, onChange }: ProblemProps) {
  const actions = useActions();
  const order = useAppState((state) => state.live.order);
  const servers = useAppState((state) => state.live.servers);
  const name = (server: ServerId): string => servers[server]?.config.name ?? "";
  return (
    <Callout
      level="warning"
      title={problem.title}
      actions={
        <Button small onClick={() => actions.get(preparingActions).removeStep(presentation, place)}>
          Remove the step
        </Button>
      }
    >
      <p>{problem.advice}</p>
      {problem.kind === "server_removed" && order.length > 0 && (
        <Select
          label="Server"
          value={step.server}
          items={[
            { value: step.server, label: `${visibleText(step.server_name)} (removed)` },
            ...order.map((server) => ({ value: server, label: visibleText(name(server)) })),
          ]}
          onChange={(server) => {
            // Saved inputs belong to their server.
            if (server !== step.server)
              onChange({ server, server_name: name(server), server_removed: false, inputs: [] });
          }}
        />
      )}
    </Callout>
  );
}

/** Chooses the saved inputs that a step offers. */
function OfferedInputs({ step, onChange }: Pick<StepCardProps, "step" | "onChange">) {
  const actions = useActions().get(catalogActions);
  const saved = useSavedInputs(step.server, step.target, step.method);
  const word = targetWord(step);
  const removed = step.inputs.filter((input) => input.removed);
  const turn = (id: string, name: string, on: boolean): void => {
    const others = step.inputs.filter((input) => input.id !== id);
    const offered = on ? [...others, { id, name, removed: false }] : others;
    const placeOf = (input: StepInput): number => saved.findIndex((one) => one.id === input.id);
    onChange({ inputs: offered.toSorted((a, b) => placeOf(a) - placeOf(b)) });
  };
  return (
    <fieldset className={styles.offered}>
      <legend>Saved inputs to choose from</legend>
      {saved.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={<VisibleText text={name} />}
          checked={step.inputs.some((input) => input.id === id)}
          onChange={(on) => turn(id, name, on)}
        />
      ))}
      {removed.map(({ id, name }) => (
        <p key={id} className={styles.fine}>
          <span className={styles.problem}>
            <TriangleAlert size={13} aria-hidden /> “{visibleText(name)}” was deleted.
          </span>
          <Button small kind="quiet" onClick={() => turn(id, name, false)}>
            Leave it out
          </Button>
        </p>
      ))}
      <p className={styles.fine}>
        <span className="note">
          {saved.length === 0
            ? `Nothing is saved for this ${word} yet: the step begins with an empty form.`
            : "The first one fills the form when the step begins."}
        </span>
        {!step.server_removed && word === "tool" && (
          <Button small kind="quiet" onClick={() => actions.openTool(step.server, step.target)}>
            {saved.length === 0 ? "Save some in its form" : "Save more in its form"}
          </Button>
        )}
      </p>
    </fieldset>
  );
}
