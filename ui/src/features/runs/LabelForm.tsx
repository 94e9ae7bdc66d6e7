import { type ReactNode } from "react";

import { Button } from "../../components/Button";
import { InlineForm } from "../../components/InlineForm";
import { TextArea, TextInput } from "../../components/Field";
import type { OperationView } from "../../ipc/bindings";
import { operationActions } from "../../state/actions/operations";
import { useActions, useSlice } from "../../state/hooks";
import { useWholeOperation } from "../../state/queries";
import { runsSlice, type LabelDraft } from "../../state/slices/runs";
import styles from "./runs.module.css";

/** Form for the name and the note of a run. */
export function LabelForm({ operation }: { readonly operation: OperationView }): ReactNode {
  const { value } = useWholeOperation(operation);
  return value && <Form operation={value} />;
}

function Form({ operation }: { readonly operation: OperationView }): ReactNode {
  const actions = useActions().get(operationActions);

  const { server, operation: number, label } = operation;
  const [{ labelDrafts }, setRuns] = useSlice(server, runsSlice);
  const typed = labelDrafts[number];
  const draft = typed ?? { name: label.name ?? "", note: label.note ?? "" };
  const change = (to: Partial<LabelDraft>): void =>
    setRuns({ labelDrafts: { ...labelDrafts, [number]: { ...draft, ...to } } });

  const close = (): void => {
    const { [number]: _, ...others } = labelDrafts;
    setRuns({ labelling: null, labelDrafts: others });
    document.querySelector<HTMLElement>(`[data-operation="${number}"] [data-card-head]`)?.focus();
  };
  const save = async (): Promise<void> => {
    const saved = { name: draft.name.trim() || null, note: draft.note.trim() || null };
    if (await actions.labelRun(number, saved)) close();
  };

  return (
    <InlineForm className={styles.label} label="Name and note" onSubmit={() => void save()} onCancel={close}>
      <TextInput label="Name" value={draft.name} onChange={(name) => change({ name })} maxLength={200} autoFocus />
      <TextArea label="Note" value={draft.note} onChange={(note) => change({ note })} rows={2} maxLength={10_000} />
      <div className="row gapS1">
        <Button small type="submit">
          Save
        </Button>
        <Button small kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </InlineForm>
  );
}
