import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "../../../components/Button";
import type { OperationView } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { bytes, clockTime, number } from "../../../lib/format";
import { useToday } from "../../../lib/useNow";
import { useActions, useAppState } from "../../../state/hooks";
import { isReading } from "../../../state/operationName";
import { givenLine, outcomeBytes, stateWord, tookText } from "../runWords";
import { runName, serverName, startOf } from "./runName";
import styles from "./compare.module.css";

export interface RunFactsProps {
  readonly left: OperationView;
  readonly right: OperationView;
}

/** Facts of both runs, line by line; differences are marked. */
export function RunFacts({ left, right }: RunFactsProps): ReactNode {
  const actions = useActions();
  const servers = useAppState((state) => state.live.servers);
  const now = useToday();
  // Times always differ, so they are not marked.
  const facts: readonly (readonly [name: string, marked: boolean, of: (run: OperationView) => string])[] = [
    ["Server", true, (run) => serverName(servers[run.server])],
    // In full, as long texts may differ only at their end.
    ...(isReading(left) || isReading(right)
      ? [["URI", true, (run: OperationView) => run.target ?? "none"] as const]
      : []),
    ["Started", false, (run) => startOf(run, now, 12)],
    ["Outcome", true, (run) => stateWord(run)],
    ["Duration", false, (run) => tookText(run)],
    ["Issues", true, (run) => number(run.issues)],
    ["Result", true, (run) => sizeOf(run)],
  ];
  const another = (kept: OperationView): void => {
    const replaced = kept.operation === left.operation ? right : left;
    actions.openPanel({ type: "compare", first: kept.operation, second: null, before: replaced.operation });
  };
  return (
    <table className={styles.facts}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visuallyHidden">Fact</span>
          </th>
          {[left, right].map((run, index) => (
            <th key={index} scope="col">
              <span className={styles.factsHead}>
                <span className={styles.runName}>{runName(run)}</span>
                <span className="note regular">{clockTime(run.started_at).slice(0, 8)}</span>
                <span className={styles.headArguments}>{givenLine(run)}</span>
                <IconButton
                  small
                  label="Compare with another run…"
                  icon={ChevronDown}
                  onClick={() => another(index === 0 ? right : left)}
                />
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.map(([name, marked, of]) => {
          const values = [of(left), of(right)] as const;
          const differs = marked && values[0] !== values[1];
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={index} className={cx(differs && "strong")}>
                  {value}
                  {differs && index === 1 && (
                    <span className="warn" role="img" aria-label="differs">
                      {" ≠"}
                    </span>
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function sizeOf(run: OperationView): string {
  const size = outcomeBytes(run.outcome);
  return size === null ? "none" : bytes(size);
}
