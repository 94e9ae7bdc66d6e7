import type { ReactNode } from "react";

import { count, number } from "../../lib/format";
import { Marked } from "../Marked";
import { Option, Overlay } from "./Overlay";
import styles from "./Field.module.css";
import type { SuggestionState } from "./useSuggestions";

export interface SuggestionListProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly shown: SuggestionState;
  /** Index of the value that Enter picks; -1 for none. */
  readonly active: number;
  readonly onPick: (value: string) => void;
}

/** List of suggestions for a text field, floating over the form. */
export function SuggestionList({ id, labelledBy, shown, active, onPick }: SuggestionListProps): ReactNode {
  const found = shown.state === "found" ? shown.found : null;
  const values = found?.values ?? [];
  if (shown.state === "asking") return null;
  return (
    <Overlay field={id}>
      {values.length > 0 && (
        <ul id={`${id}-list`} role="listbox" aria-labelledby={labelledBy} className={styles.options}>
          {values.map((value, index) => (
            <Option
              key={index}
              id={`${id}-option-${index}`}
              selected={index === active}
              active={index === active}
              onPick={() => onPick(value)}
            >
              {value === "" ? <span className="muted">(empty)</span> : <Marked text={value} />}
            </Option>
          ))}
        </ul>
      )}
      <p className={styles.overlayNote} role="status">
        {shown.state === "failed" && shown.message}
        {found !== null && words(found.values.length, found.total, found.hasMore)}
      </p>
    </Overlay>
  );
}

function words(values: number, total: number | null, hasMore: boolean): string {
  if (values === 0) return "No suggestions";
  if (total !== null && total > values)
    return `${number(values)} of ${number(total)} suggestions; type to find the others`;
  const all = count(values, "suggestion", "suggestions");
  return hasMore ? `${all}; there are more, type to find them` : all;
}
