import type { ResourceRow } from "../ipc/bindings";
import { bytes } from "../lib/format";

const AUDIENCES: Readonly<Record<string, string>> = { user: "the user", assistant: "the model" };

/** Describes the audience of a resource; roles that the specification does not define stay as received. */
export function audienceWords({ audience }: Pick<ResourceRow, "audience">): string | null {
  return audience.length === 0 ? null : audience.map((role) => AUDIENCES[role] ?? role).join(" and ");
}

/** Returns the facts that a row shows beside the URI. */
export function rowFacts(row: ResourceRow): readonly string[] {
  const audience = audienceWords(row);
  return [
    row.size === null ? null : bytes(row.size),
    audience === null ? null : `for ${audience}`,
    row.priority === null ? null : `priority ${row.priority}`,
    row.last_modified === null ? null : row.last_modified.slice(0, 10),
  ].filter((fact) => fact !== null);
}
