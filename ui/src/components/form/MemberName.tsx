import { X } from "lucide-react";
import { useState } from "react";
import { removeField, renameMember } from "../../schema/actions";
import { commitThen } from "../../lib/focus";
import { Actions } from "./Actions";
import { useForm } from "./context";
import type { FieldPath } from "./fieldpath";
import { focusField } from "./problemFocus";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

interface MemberNameProps {
  /** The object with the member. */
  readonly path: FieldPath;
  readonly index: number;
  readonly name: string;
  readonly owner: string;
}

/** Editable name of a member. It is applied when the input loses the focus, so that no half-typed name collides. */
export function MemberName({ path, index, name, owner }: MemberNameProps) {
  const { apply, applyThenFocus } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (): void => {
    if (typed !== null) apply((doc) => renameMember(doc, path.steps, index, typed));
    setTyped(null);
  };
  return (
    <div className={styles.memberName}>
      <input
        type="text"
        className={inputs.input}
        value={typed ?? name}
        spellCheck={false}
        autoComplete="off"
        aria-label={`Name of the field ${name}${owner === "" ? "" : ` of ${owner}`}`}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            const input = event.currentTarget;
            // A name of the schema gives its own field to the member.
            commitThen(commit, () => input.isConnected || focusField([path.child(typed ?? name).id]));
          }
          if (event.key === "Escape" && typed !== null) {
            event.stopPropagation();
            setTyped(null);
          }
        }}
      />
      <Actions
        label={`Actions for ${name}`}
        actions={[
          {
            label: `Remove ${name}`,
            icon: X,
            run: () =>
              applyThenFocus(
                [path.child(index).id, path.adder, path.id],
                (doc) => removeField(doc, [...path.steps, index]),
                `${name} removed`,
              ),
          },
        ]}
      />
    </div>
  );
}
