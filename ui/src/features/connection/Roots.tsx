import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../../components/VisibleText";
import type { RootsAnswer } from "../../ipc/bindings";
import { clockTime, count, number } from "../../lib/format";
import styles from "./connection.module.css";

/** Last reply to a request for the list of roots. */
export function Roots({ answer }: { readonly answer: RootsAnswer | null }): ReactNode {
  if (answer === null) return <p className={styles.quiet}>The server has not requested the list of roots.</p>;
  const { at, times, roots, refused, differs } = answer;
  const more = answer.count - roots.length;
  const again = times === 1 ? "" : `, the last of ${number(times)} requests`;
  return (
    <>
      <p>
        {refused !== null
          ? "Rejected"
          : answer.count === 0
            ? "An empty list was sent"
            : `${count(answer.count, "root was", "roots were")} sent`}{" "}
        at <span className={styles.time}>{clockTime(at)}</span> in response to <code>roots/list</code>
        {again}
        {refused === null ? "." : ": "}
        {refused !== null && <VisibleText text={refused} />}
      </p>
      {roots.length > 0 && (
        <ul className="stack gap2 noBullets breakable" aria-label="Roots that were sent">
          {roots.map(({ uri, name }, place) => (
            // Keyed by position, as a list may name a folder twice.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <VisibleText code oneLine text={uri} />{" "}
              {name !== null && (
                <span className={styles.quiet}>
                  <VisibleText text={name} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.quiet}>{number(more)} more are not shown.</p>}
      {differs && (
        <p className="row gap8">
          <TriangleAlert size={13} className="rigid selfCenter" aria-hidden />
          The server’s settings have different folders.
        </p>
      )}
    </>
  );
}
