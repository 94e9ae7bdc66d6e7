/** Fields for the variables of a resource template. */
import { useId, useState, type ReactNode } from "react";

import { SuggestionList } from "../../components/form/SuggestionList";
import { useSuggestionSource } from "../../components/form/suggestions";
import { useCombobox } from "../../components/form/useCombobox";
import { TextArea, TextInput } from "../../components/Field";

export interface VariableInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly hint: string | undefined;
}

/** A one-line field with the server's suggestions. */
export function VariableInput(field: VariableInputProps): ReactNode {
  const id = useId();
  const { label, value, onChange } = field;
  const box = useCombobox({ name: label, id, text: value, onChange, enabled: true });
  return (
    <div>
      <TextInput mono {...field} {...box.input} id={id} onChange={box.typed} />
      {box.list && <SuggestionList {...box.list} labelledBy={`${id}-label`} />}
    </div>
  );
}

/** A field for several values, one per line. A suggestion is added as a line. */
export function ListInput(field: VariableInputProps): ReactNode {
  const suggested = useSuggestionSource() !== null;
  return (
    <div className="stack gap8">
      <TextArea rows={3} {...field} />
      {suggested && <AddValue {...field} />}
    </div>
  );
}

/**
 * Field for one more value, which becomes a line when it is picked, on Enter, and when the field is left: no typed text
 * is lost.
 */
function AddValue({ label, value, onChange }: VariableInputProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState("");
  const add = (line: string): void => {
    if (line !== "") onChange(value === "" || value.endsWith("\n") ? `${value}${line}` : `${value}\n${line}`);
    setTyped("");
  };
  const box = useCombobox({ name: label, id, text: typed, onChange: setTyped, onPick: add, enabled: true });
  return (
    <div>
      <TextInput
        mono
        label={`Add a value to ${label}`}
        {...box.input}
        id={id}
        value={typed}
        onChange={box.typed}
        onKeyDown={(event) => {
          box.input.onKeyDown?.(event);
          if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
          event.preventDefault();
          add(typed);
        }}
        onBlur={(event) => {
          box.input.onBlur?.(event);
          add(typed);
        }}
      />
      {box.list && <SuggestionList {...box.list} labelledBy={`${id}-label`} />}
    </div>
  );
}
