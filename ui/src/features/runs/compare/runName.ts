import { itemName } from "../../../lib/itemName";
import { operationName } from "../../../state/operationName";
import type { OperationView, ServerView } from "../../../ipc/bindings";
import { clockTime, day } from "../../../lib/format";
import { visibleText } from "../../../lib/visible";

/** Name that the user gave the run, or else that of its tool. */
export function runName(run: OperationView): string {
  if (run.label.name !== null) return visibleText(run.label.name);
  return itemName({ title: run.title, name: operationName(run) });
}

export function serverName(server: ServerView | undefined): string {
  return server ? itemName({ title: null, name: visibleText(server.config.name) }) : "(removed server)";
}

/** Tool of a run with a name of its own; `null` if the run is named after its tool. */
export function toolOfNamed(run: OperationView): string | null {
  return run.label.name === null ? null : itemName({ title: run.title, name: operationName(run) });
}

/** Start of a run: the time, cut to this many characters, after the day unless it is today. */
export function startOf(run: OperationView, now: number, characters = 8): string {
  const own = day(run.started_at, now);
  const time = clockTime(run.started_at).slice(0, characters);
  return own === "Today" ? time : `${own}, ${time}`;
}

/** Puts two runs in order for a comparison: the one started first is on the left. */
export function inOrder(one: OperationView, other: OperationView) {
  const [first, second] =
    (one.started_at - other.started_at || one.operation - other.operation) < 0 ? [one, other] : [other, one];
  return { type: "compare" as const, first: first.operation, second: second.operation };
}

/** Names a run among others of its tool, for the text of a difference. */
export function runLabel(run: OperationView, server: ServerView | undefined): string {
  return `${operationName(run)} (${serverName(server)}, ${clockTime(run.started_at)})`;
}
