import type { OperationView } from "../ipc/bindings";
import { itemName } from "../lib/itemName";

/** The method that calls a tool. */
export const TOOLS_CALL = "tools/call";
/** The method that reads a resource. */
export const RESOURCES_READ = "resources/read";
/** The method that gets a prompt. */
export const PROMPTS_GET = "prompts/get";

/** What an operation is about: of a method, this one thing. */
export interface OperationSubject {
  readonly method: string;
  /** Of a tool or prompt its key in the list, of anything else its whole name or URI. */
  readonly key: string;
}

/** Whether an operation is about a thing. Of a long URI, only the beginning is known of its operations. */
export function isAbout({ method, key, target }: OperationView, subject: OperationSubject): boolean {
  if (method !== subject.method) return false;
  if (method === TOOLS_CALL || method === PROMPTS_GET) return key === subject.key;
  if (target === null) return false;
  return target === subject.key || (target.endsWith("…") && subject.key.startsWith(target.slice(0, -1)));
}

/** What to call an operation: what it is about, or else its method. */
export function operationName({ target, method }: Pick<OperationView, "target" | "method">): string {
  return itemName({ title: null, name: target ?? method });
}

/** Whether an operation read a resource, and is shown beside it. */
export function isReading(operation: Pick<OperationView, "target" | "method"> | undefined): boolean {
  return operation?.method === RESOURCES_READ && operation.target !== null;
}

/** Whether an operation read, or reads, the resource with this URI. */
export function isReadOf(operation: Pick<OperationView, "target" | "method"> | undefined, uri: string): boolean {
  return isReading(operation) && operation?.target === uri;
}

/** Whether an operation is a request or a notification that was written by hand, and shown beside that form. */
export function isByHand({ target, key }: Pick<OperationView, "target" | "key">): boolean {
  return key === null && target === null;
}
