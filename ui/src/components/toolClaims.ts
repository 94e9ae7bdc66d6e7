import { Eraser, Eye, FilePlus2, Globe, House, Repeat, type LucideIcon } from "lucide-react";

import type { CatalogRow } from "../ipc/bindings";
import type { BadgeProps } from "./Badge";

/** A server's claim about a tool, in plain words. */
export interface Claim {
  readonly label: string;
  readonly tip: string;
  readonly tone: NonNullable<BadgeProps["tone"]>;
  readonly icon: LucideIcon;
}

/**
 * True if the server says that the tool may delete or overwrite something. It can say so only of tools that do not just
 * read.
 */
export function isDestructive({ read_only, destructive }: Pick<CatalogRow, "read_only" | "destructive">): boolean {
  return read_only !== true && destructive === true;
}

/**
 * True unless the server rules it out: by the specification, a tool without hints may be destructive
 * (`destructiveHint`).
 */
export function mayDestroy({ read_only, destructive }: Pick<CatalogRow, "read_only" | "destructive">): boolean {
  return read_only !== true && destructive !== false;
}

/**
 * Returns the claims in a tool's annotations. Annotations are unverified hints of a server (tools, "Tool annotations"),
 * so each claim names its source; missing hints are not shown. `destructiveHint` and `idempotentHint` apply only to
 * tools that do not just read.
 */
export function claims(tool: CatalogRow): readonly Claim[] {
  const { read_only, destructive, idempotent, open_world } = tool;
  const writes = read_only !== true;
  return [
    !writes && claim("Read-only", "Does not modify its environment (readOnlyHint).", Eye),
    isDestructive(tool) && claim("Destructive", "May delete or overwrite data (destructiveHint).", Eraser, "warn"),
    writes &&
      destructive === false &&
      claim("Additive", "Only adds, never deletes or overwrites (destructiveHint: false).", FilePlus2),
    writes &&
      idempotent === true &&
      claim(
        "Idempotent",
        "Repeating a call with the same arguments has no additional effect (idempotentHint).",
        Repeat,
      ),
    open_world === true &&
      claim("Open world", "Interacts with external entities, such as the web (openWorldHint).", Globe, "info"),
    open_world === false &&
      claim("Closed world", "Does not interact with anything outside its own domain (openWorldHint: false).", House),
  ].filter((found) => found !== false);
}

function claim(label: string, means: string, icon: LucideIcon, tone: Claim["tone"] = "neutral"): Claim {
  return { label, tip: `${means} Declared by the server, not verified.`, tone, icon };
}
