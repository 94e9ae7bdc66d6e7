import { useState, type ReactNode } from "react";

import { count } from "../../lib/format";
import type { Problem } from "../../schema/problems";
import { Button } from "../Button";
import { Callout } from "../Callout";
import styles from "./ProblemBar.module.css";
import { focusProblem, placeOf, problemKey } from "./problemFocus";

/** So many are listed; "Next problem" leads to all. */
const LISTED = 3;

export interface ProblemBarProps {
  /** Of the form that they are about. */
  readonly idPrefix: string;
  readonly problems: readonly Problem[];
  /** What has them: "the arguments". */
  readonly of: string;
  /** What else can be done. */
  readonly actions: ReactNode;
}

/** What is wrong with the values of a form: each problem leads to its field. */
export function ProblemBar({ idPrefix, problems, of, actions }: ProblemBarProps): ReactNode {
  const [last, setLast] = useState(-1);
  if (problems.length === 0) return null;
  const lead = (place: number): void => {
    const problem = problems[place];
    if (!problem) return;
    setLast(place);
    focusProblem(idPrefix, problem);
  };
  return (
    <Callout
      level="warning"
      role="status"
      title={`${count(problems.length, "problem", "problems")} with ${of}.`}
      actions={
        <>
          <Button small onClick={() => lead((last + 1) % problems.length)}>
            {problems.length === 1 ? "Go to the problem" : "Next problem"}
          </Button>
          {actions}
        </>
      }
    >
      <ul className={styles.problems}>
        {problems.slice(0, LISTED).map((problem, place) => (
          <li key={problemKey(problem)}>
            <button type="button" className={styles.link} onClick={() => lead(place)}>
              {placeOf(problem) !== "" && <code>{placeOf(problem)}</code>} {problem.message}
            </button>
          </li>
        ))}
        {problems.length > LISTED && <li>and {problems.length - LISTED} more, shown at the fields</li>}
      </ul>
    </Callout>
  );
}
