import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";

import { count } from "../../lib/format";
import type { Problem } from "../../schema/problems";
import { Button } from "../Button";
import styles from "./ProblemBar.module.css";
import { focusProblem, placeOf } from "./problemFocus";

export interface ProblemBarProps {
  /** Prefix of the form with the problems. */
  readonly idPrefix: string;
  readonly problems: readonly Problem[];
  /** Subject of the problems: "the arguments". */
  readonly of: string;
  /** Buttons with other ways to continue. */
  readonly actions: ReactNode;
}

/** Shows the problems of a form in one line, one at a time, each with a link to its field. */
export function ProblemBar({ idPrefix, problems, of, actions }: ProblemBarProps): ReactNode {
  const [last, setLast] = useState(-1);
  if (problems.length === 0) return null;
  const lead = (place: number): void => {
    const problem = problems[place];
    if (!problem) return;
    setLast(place);
    focusProblem(idPrefix, problem);
  };
  // Position of the problem that was followed last.
  const place = Math.min(Math.max(last, 0), problems.length - 1);
  const shown = problems[place];
  return (
    <div className={styles.bar}>
      <TriangleAlert size={16} aria-hidden className="rigid warn" />
      <p className={styles.words} role="status">
        <strong>{`${count(problems.length, "problem", "problems")} with ${of}.`}</strong>{" "}
        {shown && (
          <button
            type="button"
            className={styles.link}
            data-focus="inset"
            data-tip={`${placeOf(shown)} ${shown.message}`.trim()}
            onClick={() => lead(place)}
          >
            {placeOf(shown) !== "" && <code>{placeOf(shown)}</code>} {shown.message}
          </button>
        )}
      </p>
      <Button small onClick={() => lead((last + 1) % problems.length)}>
        {problems.length === 1 ? "Go to the problem" : "Next problem"}
      </Button>
      {actions}
    </div>
  );
}
