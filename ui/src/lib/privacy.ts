/**
 * Whether a schema has fields whose values must not be written to disk: `format: "password"` or
 * `writeOnly: true` anywhere in it. A text that is no JSON has none.
 */
export function hasPrivateFields(schemaText: string): boolean {
  if (!/"password"|"writeOnly"/.test(schemaText)) return false;
  let schema: unknown;
  try {
    schema = JSON.parse(schemaText);
  } catch {
    return false;
  }
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) {
      const node = value as Record<string, unknown>;
      if (node["format"] === "password" || node["writeOnly"] === true) return true;
    }
    open.push(...Object.values(value));
  }
  return false;
}
