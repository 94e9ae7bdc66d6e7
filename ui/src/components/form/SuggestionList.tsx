import type { ReactNode } from "react";

import { count, number } from "../../lib/format";
import { cx } from "../../lib/cx";
import { Marked } from "../Marked";
import styles from "./Field.module.css";
import type { SuggestionState } from "./useSuggestions";

export interface SuggestionListProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly shown: SuggestionState;
  /** The one that Enter picks; -1 for none. */
  readonly active: number;
  readonly onPick: (value: string) => void;
}

/** What is suggested below a text field. It opens in the flow of the form, so nothing clips it. */
export function SuggestionList({ id, labelledBy, shown, active, onPick }: SuggestionListProps): ReactNode {
  const found = shown.state === "found" ? shown.found : null;
  const values = found?.values ?? [];
  return (
    <>
      {values.length > 0 && (
        // The list must not take the focus from the input, or leaving it would close the list first.
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-labelledby={labelledBy}
          className={styles.options}
          onMouseDown={(event) => event.preventDefault()}
        >
          {values.map((value, index) => (
            <li
              key={index}
              id={`${id}-option-${index}`}
              role="option"
              aria-selected={index === active}
              className={cx(styles.option, index === active && styles.optionActive)}
              ref={index === active ? reveal : undefined}
              onClick={() => onPick(value)}
            >
              {value === "" ? <span className={styles.muted}>(empty)</span> : <Marked text={value} />}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.note} role="status">
        {shown.state === "failed" && shown.message}
        {found !== null && words(found.values.length, found.total, found.hasMore)}
      </p>
    </>
  );
}

function words(values: number, total: number | null, hasMore: boolean): string {
  if (values === 0) return "No suggestions";
  if (total !== null && total > values)
    return `${number(values)} of ${number(total)} suggestions; type to find the others`;
  const all = count(values, "suggestion", "suggestions");
  return hasMore ? `${all}; there are more, type to find them` : all;
}

function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: "nearest" });
}
