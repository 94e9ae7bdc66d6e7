import { ArrowDown, ArrowUp } from "lucide-react";

import { IconButton } from "../../components/Button";
import { Checkbox, TextInput } from "../../components/Field";
import { EditRows } from "./EditRows";
import type { NamedValue } from "../../ipc/bindings";
import { moved } from "../../lib/places";
import { inputProblem, withHidden, withSecret, type ProblemOf } from "./serverDraft";
import styles from "./ServerForm.module.css";

export interface ArgumentRowsProps {
  args: readonly string[];
  /** Inputs that an imported configuration leaves to the user, as placeholders. */
  inputs: readonly string[];
  problemOf: ProblemOf;
  onChange: (args: string[]) => void;
}

/** Arguments of a program, one field each. */
export function ArgumentRows({ args, inputs, problemOf, onChange }: ArgumentRowsProps) {
  return (
    <EditRows
      entries={args}
      onChange={onChange}
      blank=""
      what="argument"
      name={(_, index) => `argument ${index + 1}`}
      className={styles.argument}
    >
      {(arg, index, set) => (
        <>
          <TextInput
            label={`Argument ${index + 1}`}
            hideLabel
            mono
            value={arg}
            error={problemOf("argument", index) ?? inputProblem(arg, inputs)}
            onChange={set}
          />
          <IconButton
            label={`Move argument ${index + 1} up`}
            icon={ArrowUp}
            small
            disabled={index === 0}
            onClick={() => onChange([...moved(args, index, index - 1)])}
          />
          <IconButton
            label={`Move argument ${index + 1} down`}
            icon={ArrowDown}
            small
            disabled={index === args.length - 1}
            onClick={() => onChange([...moved(args, index, index + 1)])}
          />
        </>
      )}
    </EditRows>
  );
}

export interface NamedRowsProps extends Pick<ArgumentRowsProps, "inputs" | "problemOf"> {
  what: "variable" | "header";
  entries: readonly NamedValue[];
  onChange: (entries: NamedValue[]) => void;
}

const BLANK: NamedValue = { name: "", value: { kind: "plain", value: "" } };

/** Variables or headers: name, value, and a switch that makes the value a secret. */
export function NamedRows({ what, entries, inputs, problemOf, onChange }: NamedRowsProps) {
  const nameOf = (entry: NamedValue, index: number): string =>
    entry.name === "" ? `${what} ${index + 1}` : entry.name;
  return (
    <EditRows entries={entries} onChange={onChange} blank={BLANK} what={what} name={nameOf} className={styles.named}>
      {(entry, index, set) => {
        const secret = entry.value.kind === "secret";
        const kept = entry.value.kind === "secret" && entry.value.value.type === "keep";
        const text =
          entry.value.kind === "plain"
            ? entry.value.value
            : entry.value.value.type === "set"
              ? entry.value.value.value
              : "";
        const missing = secret ? undefined : inputProblem(text, inputs);
        const name = nameOf(entry, index);
        return (
          <>
            <TextInput
              label={`Name of ${what} ${index + 1}`}
              hideLabel
              mono
              placeholder="Name"
              value={entry.name}
              error={problemOf(`${what}_name`, index)}
              onChange={(value) => set(withHidden(entry, { ...entry, name: value }))}
            />
            <TextInput
              label={`Value of ${name}`}
              hideLabel
              mono
              type={secret ? "password" : "text"}
              autoComplete={secret ? "new-password" : "off"}
              placeholder={kept ? "stored; type to replace it" : missing !== undefined ? text : "Value"}
              value={inputs.includes(text) ? "" : text}
              error={problemOf(`${what}_value`, index) ?? missing}
              onChange={(value) =>
                set(
                  withHidden(entry, {
                    ...entry,
                    // Inputs of other clients are mostly secrets.
                    value:
                      secret || missing !== undefined
                        ? { kind: "secret", value: { type: "set", value } }
                        : { kind: "plain", value },
                  }),
                )
              }
            />
            <Checkbox
              label={
                <>
                  Secret<span className="visuallyHidden">: {name}</span>
                </>
              }
              checked={secret}
              onChange={(checked) => set({ ...entry, value: withSecret(entry.value, checked) })}
            />
          </>
        );
      }}
    </EditRows>
  );
}
