import type { OperationView } from "../ipc/bindings";
import { itemName } from "../lib/itemName";

/** What to call an operation: what it is about, or else its method. */
export function operationName({ target, method }: Pick<OperationView, "target" | "method">): string {
  return itemName({ title: null, name: target ?? method });
}
