import { BackendError } from "../backend";
import type { ErrorCode } from "../bindings";

/** Makes a command fail. */
export function fail(code: ErrorCode, message: string, detail?: string): never {
  throw new BackendError({ code, message, ...(detail === undefined ? {} : { detail }) });
}
