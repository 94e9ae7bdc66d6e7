import { LockKeyhole } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { InlineForm } from "../../../components/InlineForm";
import { TextInput } from "../../../components/Field";
import { createDocument } from "../../../schema/document";
import { compactJson } from "../../../schema/print";
import { useActions } from "../../../state/hooks";
import { savedInputActions, useSavedInputs } from "../../../state/savedInputs";
import { type InputListProps } from "./InputList";
import { type InputMenuProps } from "./InputMenu";
import styles from "./inputs.module.css";
import { suggestedName } from "./pickedInput";

interface SaveInputProps extends InputListProps, InputMenuProps {
  /** Values to save, if they are not those of the form. */
  readonly text: string | null;
}

/** Asks for the name under which values are saved. */
export function SaveInput({ server, tool, draft, text, onClose }: SaveInputProps) {
  const actions = useActions().get(savedInputActions);
  const inputs = useSavedInputs(server, tool);
  const field = useRef<HTMLInputElement>(null);
  const { document, isPrivate } = draft;
  const [name, setName] = useState(() =>
    isPrivate ? "" : suggestedName((text === null ? document : createDocument(document.source.text, text)).root),
  );
  useEffect(() => field.current?.select(), []);
  const wanted = name.trim();
  const same = inputs.find((input) => input.name === wanted);
  const taken = same !== undefined;
  // Values of a run are not in the form; only the form's values update a saved input.
  const replaced = text === null ? same : undefined;
  const save = async (): Promise<void> => {
    if (wanted === "" || taken) return;
    if (await actions.saveFormAs(server, tool, wanted, text)) onClose();
  };

  return (
    <InlineForm className={styles.part} label="Save these values" onSubmit={() => void save()} onCancel={onClose}>
      {text !== null && (
        <p className="row gap8">
          <span className="note">Values of the run</span>
          <code className="ellipsis note monoFont unbroken">{compactJson(text.slice(0, 400))}</code>
        </p>
      )}
      <TextInput
        ref={field}
        label={text === null ? "Save these values as" : "Save them as"}
        value={name}
        maxLength={200}
        error={
          replaced
            ? `“${wanted}” is there already. Press Update to replace it, or choose another name.`
            : taken
              ? `“${wanted}” is there already. Choose another name.`
              : undefined
        }
        onChange={setName}
      />
      {isPrivate && (
        <p className={styles.note}>
          <LockKeyhole size={13} aria-hidden />
          <span>
            This tool has fields for secrets. What is saved of it stays in memory until Sonde quits: it is never written
            to a file, and never part of an export.
          </span>
        </p>
      )}
      <div className="row gap8">
        <Button small kind="primary" type="submit" disabled={wanted === "" || taken}>
          Save
        </Button>
        {replaced && (
          <Button small onClick={() => void actions.updateInput(replaced.id).then(onClose)}>
            Update
          </Button>
        )}
        <Button small kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </InlineForm>
  );
}
