import { valueIn } from "../lib/valueIn";
/** A request or notification that is written by hand. */
export interface RawRequest {
  readonly method: string;
  /** `params` as JSON text; empty leaves the member out. */
  readonly params: string;
  readonly notification: boolean;
}

/** Serializes the draft for storage. */
export function requestText({ method, params, notification }: RawRequest): string {
  if (method === "" && params === "" && !notification) return "";
  return JSON.stringify({ method, params, notification });
}

export function requestOf(text: string): RawRequest {
  const { method, params, notification } = (valueIn(text) ?? {}) as Partial<RawRequest>;
  return { method: method ?? "", params: params ?? "", notification: notification === true };
}
