import { BackendError } from "../backend";
import type { ErrorCode, Failure } from "../bindings";

/** Makes a command fail. */
export function fail(code: ErrorCode, message: string, detail?: string): never {
  throw new BackendError({ code, message, ...(detail === undefined ? {} : { detail }) });
}

/** Builds the failure of a connection. */
export function failureOf(
  code: string,
  title: string,
  cause: string,
  advice: string[],
  more: Partial<Failure> = {},
): Failure {
  return { code, title, cause, advice, detail: null, stderr_tail: [], non_message_tail: [], ...more };
}
