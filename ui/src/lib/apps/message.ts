/** Reads messages of an app as JSON, within limits: a foreign page can send anything that can be cloned. */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Limit of a message's length, in characters of its JSON text (approximately). */
export const LONGEST_MESSAGE = 1_000_000;
/** Limit of the number of values in a message. */
const MAX_VALUES = 100_000;

/** Returns the JSON text of a message; `null` if it is not JSON, or too large. */
export function boundedText(data: unknown): string | null {
  let [characters, values] = [0, 0];
  const open: unknown[] = [data];
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined) {
      characters += 5;
    } else if (Array.isArray(value)) {
      // A sparse array is long without having elements.
      values += value.length;
      if (values > MAX_VALUES) return null;
      for (const one of value as unknown[]) open.push(one);
    } else if (isPlain(value)) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        open.push(member);
        if (open.length > MAX_VALUES) return null;
      }
    } else return null;
    // This limit also ends cycles.
    if (values > MAX_VALUES || characters > LONGEST_MESSAGE) return null;
  }
  try {
    return JSON.stringify(data) ?? null;
  } catch {
    // The message is nested too deeply to be serialized.
    return null;
  }
}

/** Returns true for plain objects: no map, buffer or anything else that is not JSON. */
export function isPlain(value: unknown): value is Json {
  return Object.prototype.toString.call(value) === "[object Object]";
}
