import type { ReactNode } from "react";

import type { Check } from "../../ipc/bindings";
import { duration } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { visibleText } from "../../lib/visible";
import styles from "./checks.module.css";
import { StateMark } from "./CheckLine";
import { casesOf } from "./checkWords";

/**
 * Results in the cases of the suite's matrix: a row for each check, a column for each case. Renders nothing without a
 * matrix.
 */
export function CaseTable({ checks }: { readonly checks: readonly Check[] }): ReactNode {
  const labels = casesOf(checks);
  if (labels.length === 0) return null;
  return (
    <div className={styles.cases} {...scrollable("Results by case")}>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            {labels.map((label) => (
              <th key={label} scope="col">
                {visibleText(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.id.step}>
              <th scope="row">{visibleText(check.name)}</th>
              {labels.map((label) => (
                <td key={label}>
                  <Case check={check} label={label} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Case({ check, label }: { readonly check: Check; readonly label: string }): ReactNode {
  const ran = check.on ? check.result?.cases.find((one) => one.label === label) : undefined;
  if (!ran) return <StateMark state={check.on ? "never" : "off"} />;
  return (
    <span className="inlineRow gap8">
      <StateMark state={ran.state} />
      {ran.duration !== null && <span className="note digits">{duration(ran.duration)}</span>}
    </span>
  );
}
