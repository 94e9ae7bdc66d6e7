import { LockKeyhole } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../../components/Button";
import { TextInput } from "../../../components/Field";
import { DragHandle } from "../../../components/reorder/DragHandle";
import { gapEdge, useReorder } from "../../../components/reorder/useReorder";
import reorder from "../../../components/reorder/reorder.module.css";
import { SubjectMenuButton } from "../../../components/SubjectMenuButton";
import type { SavedInput } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { useActions } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import { savedInputActions, useSavedInputs } from "../../../state/savedInputs";
import { focusMark, focusNames, subjectMark } from "../../../state/view";
import { type InputMenuProps } from "./InputMenu";
import styles from "./inputs.module.css";

export interface InputListProps extends Pick<InputMenuProps, "server" | "tool"> {
  readonly onClose: () => void;
}

/** List of a tool's saved inputs, to rename, move and delete them. */
export function InputList({ server, tool, onClose }: InputListProps) {
  const actions = useActions();
  const inputs = useSavedInputs(server, tool);
  const list = useRef<HTMLUListElement>(null);
  const { dragging, onKeyDown, handle } = useReorder(list, (from, to) => {
    const input = inputs[from];
    if (input) void actions.get(presentationActions).moveInput(input, to);
  });
  return (
    <section
      className={styles.part}
      aria-label="Saved inputs"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="row gap8">
        <h3 className="grow strong normal">Saved inputs</h3>
        <Button small kind="quiet" onClick={onClose}>
          Done
        </Button>
      </div>
      {inputs.length === 0 ? (
        <p className="note">Nothing is saved for this tool.</p>
      ) : (
        <ul ref={list} className={styles.list} onKeyDown={onKeyDown}>
          {inputs.map((input, place) => (
            <li
              key={input.id}
              data-place={place}
              data-gap={gapEdge(dragging, place, inputs.length)}
              className={cx(reorder.row, "row gap4", dragging?.from === place && reorder.dragged)}
              {...subjectMark({ type: "input", input: input.id })}
            >
              <DragHandle {...handle(place)} />
              <Name input={input} />
              {input.private && (
                <LockKeyhole
                  size={13}
                  role="img"
                  aria-label="Kept in memory until Sonde quits: it may hold a secret"
                  className="rigid muted"
                />
              )}
              <Button
                small
                onClick={() => void actions.get(savedInputActions).fillFrom(input.id)}
                aria-label={`Fill form with ${input.name}`}
              >
                Fill form
              </Button>
              <SubjectMenuButton
                small
                label={`Actions for ${input.name}`}
                subject={{ type: "input", input: input.id }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Name field of a saved input. Enter and leaving the field save the typed name, Esc discards it. */
function Name({ input }: { readonly input: SavedInput }) {
  const actions = useActions().get(savedInputActions);
  const [saved, setSaved] = useState(input.name);
  const [name, setName] = useState(saved);
  // A field for each name would lose the focus.
  if (saved !== input.name) {
    setSaved(input.name);
    setName(input.name);
  }
  const take = (): void => {
    if (name.trim() === "") setName(input.name);
    else void actions.renameInput(input.id, name.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "Enter") take();
    else if (event.key === "Escape" && name !== input.name) setName(input.name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="grow" {...focusMark(focusNames.input(input.id))}>
      <TextInput
        label={`Name of ${input.name}`}
        hideLabel
        value={name}
        maxLength={200}
        onChange={setName}
        onBlur={take}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
