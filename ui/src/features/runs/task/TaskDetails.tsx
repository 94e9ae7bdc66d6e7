import type { ReactNode } from "react";

import { CopyButton } from "../../../components/CopyButton";
import { Disclosure } from "../../../components/Disclosure";
import { Facts } from "../../../components/Facts";
import { expiresAt, span, STATUS_WORDS } from "../../../components/taskWords";
import type { TaskRun } from "../../../ipc/bindings";
import { clockTime, number } from "../../../lib/format";
import { visibleText } from "../../../lib/visible";
import styles from "./task.module.css";
import { SOURCE_WORDS } from "./taskWords";

/** Words for the number of times that a later connection resumed the task. */
function times(count: number): string {
  return count === 1 ? "Once, by a later connection" : `${number(count)} times, by later connections`;
}

/** Details of a run's task: its id, its times, and the history of its status. */
export function TaskDetails({ task }: { readonly task: TaskRun }): ReactNode {
  const at = expiresAt(task);
  return (
    <Disclosure summary={`Task: ${STATUS_WORDS[task.status]}`}>
      <div className="stack gapS2">
        <Facts
          items={{
            "Task id": (
              <span className="inlineRow breakable">
                <code>{visibleText(task.id)}</code>
                <CopyButton text={task.id} label="Copy the task id" compact />
              </span>
            ),
            Status: STATUS_WORDS[task.status],
            Message: task.message !== null && visibleText(task.message),
            Created: task.created_at === null ? "The server does not say" : visibleText(task.created_at),
            "Kept for": task.ttl === null ? "No limit is known" : span(task.ttl),
            Expires: at !== null && clockTime(at).slice(0, 8),
            Resumed: task.resumed > 0 && times(task.resumed),
            "Poll interval":
              task.poll_interval === null ? "The server suggests none" : `${number(task.poll_interval)} ms`,
          }}
        />
        {task.changes.length > 0 && (
          <table className={styles.history}>
            <caption>History of the status</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Status</th>
                <th scope="col">Known by</th>
                <th scope="col">Message</th>
              </tr>
            </thead>
            <tbody>
              {task.changes.map((change, index) => (
                // Only the oldest changes are dropped; no other row moves.
                <tr key={`${change.at}-${index}`}>
                  <td>{clockTime(change.at)}</td>
                  <td>{STATUS_WORDS[change.status]}</td>
                  <td>{SOURCE_WORDS[change.source]}</td>
                  <td>{visibleText(change.message ?? "")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Disclosure>
  );
}
