import { itemName } from "../../../lib/itemName";
import { operationName } from "../../../state/operationName";
import type { OperationView, ServerView } from "../../../ipc/bindings";
import { clockTime, day } from "../../../lib/format";
import { visibleText } from "../../../lib/visible";

/** The name that the user gave a run, or that of its tool. */
export function runName(run: OperationView): string {
  if (run.label.name !== null) return visibleText(run.label.name);
  return itemName({ title: run.title, name: operationName(run) });
}

export function serverName(server: ServerView | undefined): string {
  return server ? itemName({ title: null, name: visibleText(server.config.name) }) : "(removed server)";
}

/** The tool of a run that has a name of its own; `null` where its name is that of the tool. */
export function toolOfNamed(run: OperationView): string | null {
  return run.label.name === null ? null : itemName({ title: run.title, name: operationName(run) });
}

/** When a run was started: so much of the time, after the day where that is not today. */
export function startOf(run: OperationView, now: number, characters = 8): string {
  const own = day(run.started_at, now);
  const time = clockTime(run.started_at).slice(0, characters);
  return own === "Today" ? time : `${own}, ${time}`;
}

/** Two runs as they are compared: the one that was started first stands at the left. */
export function inOrder(one: OperationView, other: OperationView) {
  const [first, second] =
    (one.started_at - other.started_at || one.operation - other.operation) < 0 ? [one, other] : [other, one];
  return { type: "compare" as const, first: first.operation, second: second.operation };
}

/** Names a run among others of its tool, for the text of a difference. */
export function runLabel(run: OperationView, server: ServerView | undefined): string {
  return `${operationName(run)} (${serverName(server)}, ${clockTime(run.started_at)})`;
}
