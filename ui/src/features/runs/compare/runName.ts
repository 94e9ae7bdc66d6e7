import { itemName } from "../../../lib/itemName";
import { operationName } from "../../../state/operationName";
import type { OperationView, ServerView } from "../../../ipc/bindings";
import { clockTime } from "../../../lib/format";
import { visibleText } from "../../../lib/visible";

/** The name that the user gave a run, or that of its tool. */
export function runName(run: OperationView): string {
  if (run.label.name !== null) return visibleText(run.label.name);
  return itemName({ title: run.title, name: operationName(run) });
}

export function serverName(server: ServerView | undefined): string {
  return server ? itemName({ title: null, name: visibleText(server.config.name) }) : "(removed server)";
}

/** Names a run among others of its tool, for the text of a difference. */
export function runLabel(run: OperationView, server: ServerView | undefined): string {
  return `${operationName(run)} (${serverName(server)}, ${clockTime(run.started_at)})`;
}
