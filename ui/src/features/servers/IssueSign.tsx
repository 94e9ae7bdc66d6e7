import { CircleAlert, TriangleAlert } from "lucide-react";

import { number } from "../../lib/format";
import { issueWords } from "../../state/issues";
import styles from "./ServerList.module.css";

interface IssueSignProps {
  readonly issues: number;
  /** Number of errors among the issues. */
  readonly errors: number;
  /** Scope of the issues, in words; by default the connection of one server. */
  readonly where?: string;
}

/** Issues of a row in the list of servers: their number, and if errors are among them. */
export function IssueSign({ issues, errors, where }: IssueSignProps) {
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  return (
    <span className={errors > 0 ? styles.errors : styles.asks} data-tip={issueWords(issues, errors, where)}>
      <Icon size={13} aria-hidden /> <span className={styles.number}>{number(issues)}</span>
      <span className="visuallyHidden"> {issues === 1 ? "issue" : "issues"}</span>
    </span>
  );
}
