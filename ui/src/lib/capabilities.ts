/** Whether a server declares a capability; `capabilities` is JSON text of the server's. */
export function declares(capabilities: string, name: string): boolean {
  try {
    const value: unknown = JSON.parse(capabilities);
    return (
      typeof value === "object" && value !== null && name in value && (value as Record<string, unknown>)[name] !== null
    );
  } catch {
    return false;
  }
}
