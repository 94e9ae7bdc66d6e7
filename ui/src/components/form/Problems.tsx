import { CircleAlert } from "lucide-react";
import type { Problem } from "../../schema/problems";
import { placeOf, problemKey } from "./problemFocus";
import styles from "./Field.module.css";

interface ProblemsProps {
  readonly id?: string;
  readonly problems: readonly Problem[];
  /** Says where each problem is, for lists that are not beside their field. */
  readonly withPlace?: boolean;
}

const MOST = 20;

/** The validator's findings, each with an icon and its words. */
export function Problems({ id, problems, withPlace = false }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="noBullets">
      {problems.slice(0, MOST).map((problem, index) => (
        <li key={index} className={styles.problem} data-problem={problemKey(problem)} tabIndex={-1}>
          <CircleAlert size={14} aria-hidden className="rigid selfCenter" />
          <span>
            {withPlace && placeOf(problem) !== "" && <code>{placeOf(problem)} </code>}
            {problem.message}
          </span>
        </li>
      ))}
      {problems.length > MOST && <li className={styles.problem}>and {problems.length - MOST} more</li>}
    </ul>
  );
}
