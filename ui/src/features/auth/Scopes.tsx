import { Badge } from "../../components/Badge";
import styles from "./auth.module.css";

export interface ScopesProps {
  scopes: readonly string[];
  /** Those among them that are new. */
  added?: readonly string[];
  /** What is said when there are none. */
  none: string;
}

/** Scopes one beside the other; new ones say so. */
export function Scopes({ scopes, added = [], none }: ScopesProps) {
  if (scopes.length === 0) return <>{none}</>;
  return (
    <ul className={styles.scopes}>
      {scopes.map((scope) => (
        <li key={scope} className={styles.scope}>
          <bdi className={styles.code}>{scope}</bdi>
          {added.includes(scope) && <Badge tone="warn">new</Badge>}
        </li>
      ))}
    </ul>
  );
}
