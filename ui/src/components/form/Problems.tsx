import { CircleAlert } from "lucide-react";
import type { Problem } from "../../schema/problems";
import { placeOf, problemKey } from "./problemFocus";
import styles from "./Field.module.css";

interface ProblemsProps {
  readonly id?: string;
  readonly problems: readonly Problem[];
  /** Names the field of each problem, for lists away from their field. */
  readonly withPlace?: boolean;
}

const MOST_PROBLEMS = 20;

/** Lists the validator's findings with icon and text. */
export function Problems({ id, problems, withPlace = false }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="noBullets">
      {problems.slice(0, MOST_PROBLEMS).map((problem, index) => (
        <li key={index} className={styles.problem} data-problem={problemKey(problem)} tabIndex={-1}>
          <CircleAlert size={14} aria-hidden className="rigid selfCenter" />
          <span>
            {withPlace && placeOf(problem) !== "" && <code>{placeOf(problem)} </code>}
            {problem.message}
          </span>
        </li>
      ))}
      {problems.length > MOST_PROBLEMS && (
        <li className={styles.problem}>and {problems.length - MOST_PROBLEMS} more</li>
      )}
    </ul>
  );
}
