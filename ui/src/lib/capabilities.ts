import { own } from "./own";
import { valueIn } from "./valueIn";

/**
 * Returns true if a server declares a capability, or a member inside it; `null` if that is unknown. `capabilities` is
 * the server's JSON text, of which the window may have only the beginning. As in the backend, any value but `null`
 * and `false` declares.
 */
export function declares(capabilities: string | null, ...path: readonly string[]): boolean | null {
  if (capabilities === null || capabilities.endsWith("…")) return null;
  let value = valueIn(capabilities);
  for (const name of path) {
    if (typeof value !== "object" || value === null) return false;
    value = own(value as Record<string, unknown>, name);
  }
  return value !== undefined && value !== null && value !== false;
}
