import { useId, type ReactNode } from "react";

import type { SavedInput } from "../../../ipc/bindings";
import { visibleText } from "../../../lib/visible";
import styles from "./give.module.css";

export interface InputsProps {
  readonly inputs: readonly SavedInput[];
  /** Id of the saved input whose values are unchanged in the form. */
  readonly taken: string | null;
  readonly onTake: (input: SavedInput) => void;
}

/** Saved inputs to choose from. */
export function Inputs({ inputs, taken, onTake }: InputsProps): ReactNode {
  const label = useId();
  if (inputs.length === 0) return null;
  return (
    <div className="wrap gapS2" role="group" aria-labelledby={label}>
      <span id={label} className="visuallyHidden">
        Saved inputs
      </span>
      {inputs.map((input) => (
        <button
          key={input.id}
          type="button"
          className={styles.input}
          aria-pressed={input.id === taken}
          data-quoted
          onClick={() => onTake(input)}
        >
          {visibleText(input.name)}
        </button>
      ))}
    </div>
  );
}
