import { own } from "./own";

/**
 * Whether a server declares a capability, or a member inside it; `null` where that is not known. `capabilities` is JSON
 * text of the server's, of which the window may have the beginning only. As in the backend, any value but `null` and
 * `false` declares.
 */
export function declares(capabilities: string | null, ...path: readonly string[]): boolean | null {
  if (capabilities === null || capabilities.endsWith("…")) return null;
  let value: unknown;
  try {
    value = JSON.parse(capabilities);
  } catch {
    return false;
  }
  for (const name of path) {
    if (typeof value !== "object" || value === null) return false;
    value = own(value as Record<string, unknown>, name);
  }
  return value !== undefined && value !== null && value !== false;
}
