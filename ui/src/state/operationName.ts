import type { OperationView } from "../ipc/bindings";
import { itemName } from "../lib/itemName";

/** What to call an operation: what it is about, or else its method. */
export function operationName({ target, method }: Pick<OperationView, "target" | "method">): string {
  return itemName({ title: null, name: target ?? method });
}

/** Whether an operation is a request or a notification that was written by hand, and shown beside that form. */
export function isByHand({ target, key }: Pick<OperationView, "target" | "key">): boolean {
  return key === null && target === null;
}
