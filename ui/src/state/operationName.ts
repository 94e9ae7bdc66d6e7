import type { OperationView } from "../ipc/bindings";
import { itemName } from "../lib/itemName";

/** The method that calls a tool. */
export const TOOLS_CALL = "tools/call";
/** The method that reads a resource. */
export const RESOURCES_READ = "resources/read";
/** The method that gets a prompt. */
export const PROMPTS_GET = "prompts/get";

/** Subject of an operation: a method and its target. */
export interface OperationSubject {
  readonly method: string;
  /** Key in the list for a tool or prompt; the full name or URI for anything else. */
  readonly key: string;
}

/** Returns true if an operation is about the subject. Operations have only the beginning of a long URI. */
export function isAbout({ method, key, target }: OperationView, subject: OperationSubject): boolean {
  if (method !== subject.method) return false;
  if (method === TOOLS_CALL || method === PROMPTS_GET) return key === subject.key;
  if (target === null) return false;
  return target === subject.key || (target.endsWith("…") && subject.key.startsWith(target.slice(0, -1)));
}

/** Returns the display name of an operation: its target, or else its method. */
export function operationName({ target, method }: Pick<OperationView, "target" | "method">): string {
  return itemName({ title: null, name: target ?? method });
}

/** Returns true if an operation read a resource, and is shown beside it. */
export function isReading(operation: Pick<OperationView, "target" | "method"> | undefined): boolean {
  return operation?.method === RESOURCES_READ && operation.target !== null;
}

/** Returns true if an operation read, or is reading, the resource with this URI. */
export function isReadOf(operation: Pick<OperationView, "target" | "method"> | undefined, uri: string): boolean {
  return isReading(operation) && operation?.target === uri;
}

/** Returns true for a request or a notification written by hand, which is shown beside that form. */
export function isByHand({ target, key }: Pick<OperationView, "target" | "key">): boolean {
  return key === null && target === null;
}
