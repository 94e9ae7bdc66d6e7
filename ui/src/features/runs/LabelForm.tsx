import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { TextArea, TextInput } from "../../components/TextInput";
import type { OperationView } from "../../ipc/bindings";
import { useActions, useWholeOperation } from "../../state/hooks";
import styles from "./runs.module.css";

/** The name and the note of a run, to be changed. */
export function LabelForm({ operation }: { readonly operation: OperationView }): ReactNode {
  const { value } = useWholeOperation(operation);
  return value && <Form operation={value} />;
}

function Form({ operation }: { readonly operation: OperationView }): ReactNode {
  const actions = useActions();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(operation.label.name ?? "");
  const [note, setNote] = useState(operation.label.note ?? "");
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const close = (): void => {
    actions.editLabel(operation.server, null);
    document.querySelector<HTMLElement>(`[data-operation="${operation.operation}"] [data-card-head]`)?.focus();
  };
  const save = async (): Promise<void> => {
    const label = { name: name.trim() || null, note: note.trim() || null };
    if (await actions.labelRun(operation.operation, label)) close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <form
      ref={form}
      className={styles.label}
      aria-label="Name and note"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput label="Name" value={name} onChange={setName} maxLength={200} />
      <TextArea label="Note" value={note} onChange={setNote} rows={2} maxLength={10_000} />
      <div className={styles.actions}>
        <Button small type="submit">
          Save
        </Button>
        <Button small kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
