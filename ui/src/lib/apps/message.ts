/** Messages of an app as JSON, within limits: what a foreign page hands over can be anything that can be cloned. */

/** An object of a message. */
export type Json = Readonly<Record<string, unknown>>;

/** The longest message that is read, in characters of its JSON text, about. */
export const LONGEST = 1_000_000;
/** The most values in it. */
const VALUES = 100_000;

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
      // A sparse array is long without having anything in it.
      values += value.length;
      if (values > VALUES) return null;
      for (const one of value as unknown[]) open.push(one);
    } else if (isPlain(value)) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        open.push(member);
        if (open.length > VALUES) return null;
      }
    } else return null;
    // Whatever leads back to itself comes to its end here.
    if (values > VALUES || characters > LONGEST) return null;
  }
  try {
    return JSON.stringify(data) ?? null;
  } catch {
    // It is deeper than can be written.
    return null;
  }
}

/** An object and neither a map, a buffer nor anything else that is no JSON. */
export function isPlain(value: unknown): value is Json {
  return Object.prototype.toString.call(value) === "[object Object]";
}
