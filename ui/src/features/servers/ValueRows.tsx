import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useEffect, useRef } from "react";

import { Button } from "../../components/Button";
import { Checkbox } from "../../components/Checkbox";
import { IconButton } from "../../components/IconButton";
import { TextInput } from "../../components/TextInput";
import { inputProblem, moved, withSecret, type NamedValue } from "./serverDraft";
import styles from "./ServerForm.module.css";

/** Focuses the last row after one was added, so that typing goes on. */
export function useFocusAdded(length: number) {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    const rows = list.current?.querySelectorAll<HTMLElement>("[data-row]");
    rows?.[rows.length - 1]?.querySelector("input")?.focus();
  }, [length]);
  const markAdded = (): void => {
    added.current = true;
  };
  return { list, markAdded };
}

export interface ArgumentRowsProps {
  args: readonly string[];
  /** What is to be asked for, as it stands in the configuration. */
  inputs: readonly string[];
  onChange: (args: string[]) => void;
}

/** Arguments of a program, one field each. */
export function ArgumentRows({ args, inputs, onChange }: ArgumentRowsProps) {
  const { list, markAdded } = useFocusAdded(args.length);
  return (
    <div className={styles.rows} ref={list}>
      {args.map((arg, index) => (
        // The place is the identity: arguments may be equal.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={styles.argument} data-row>
          <TextInput
            label={`Argument ${index + 1}`}
            hideLabel
            mono
            value={arg}
            error={inputProblem(arg, inputs)}
            onChange={(value) => onChange(args.with(index, value))}
          />
          <IconButton
            label={`Move argument ${index + 1} up`}
            icon={ArrowUp}
            small
            disabled={index === 0}
            onClick={() => onChange(moved(args, index, -1))}
          />
          <IconButton
            label={`Move argument ${index + 1} down`}
            icon={ArrowDown}
            small
            disabled={index === args.length - 1}
            onClick={() => onChange(moved(args, index, 1))}
          />
          <IconButton
            label={`Remove argument ${index + 1}`}
            icon={X}
            small
            onClick={() => onChange(args.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon={Plus}
          onClick={() => {
            markAdded();
            onChange([...args, ""]);
          }}
        >
          Add argument
        </Button>
      </div>
    </div>
  );
}

export interface NamedRowsProps {
  /** What one of them is called, for example "variable". */
  what: string;
  entries: readonly NamedValue[];
  /** What is to be asked for, as it stands in the configuration. */
  inputs: readonly string[];
  onChange: (entries: NamedValue[]) => void;
}

/** Variables or headers: name, value, and whether the value is a secret. */
export function NamedRows({ what, entries, inputs, onChange }: NamedRowsProps) {
  const { list, markAdded } = useFocusAdded(entries.length);
  return (
    <div className={styles.rows} ref={list}>
      {entries.map((entry, index) => {
        const secret = entry.value.kind === "secret";
        const kept = entry.value.kind === "secret" && entry.value.input.type === "keep";
        const text =
          entry.value.kind === "plain"
            ? entry.value.value
            : entry.value.input.type === "set"
              ? entry.value.input.value
              : "";
        const missing = secret ? undefined : inputProblem(text, inputs);
        const name = entry.name === "" ? `${what} ${index + 1}` : entry.name;
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={styles.named} data-row>
            <TextInput
              label={`Name of ${what} ${index + 1}`}
              hideLabel
              mono
              placeholder="Name"
              value={entry.name}
              onChange={(value) => onChange(entries.with(index, { ...entry, name: value }))}
            />
            <TextInput
              label={`Value of ${name}`}
              hideLabel
              mono
              type={secret ? "password" : "text"}
              autoComplete={secret ? "new-password" : "off"}
              placeholder={kept ? "stored; type to replace it" : missing !== undefined ? text : "Value"}
              value={inputs.includes(text) ? "" : text}
              error={missing}
              onChange={(value) =>
                onChange(
                  entries.with(index, {
                    ...entry,
                    // What other clients ask for is mostly a key.
                    value:
                      secret || missing !== undefined
                        ? { kind: "secret", input: { type: "set", value } }
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
              onChange={(checked) =>
                onChange(entries.with(index, { ...entry, value: withSecret(entry.value, checked) }))
              }
            />
            <IconButton label={`Remove ${name}`} icon={X} small onClick={() => onChange(entries.toSpliced(index, 1))} />
          </div>
        );
      })}
      <div>
        <Button
          small
          icon={Plus}
          onClick={() => {
            markAdded();
            onChange([...entries, { name: "", value: { kind: "plain", value: "" } }]);
          }}
        >
          Add {what}
        </Button>
      </div>
    </div>
  );
}
