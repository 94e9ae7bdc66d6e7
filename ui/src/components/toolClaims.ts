import { Eraser, Eye, FilePlus2, Globe, House, Repeat, type LucideIcon } from "lucide-react";

import type { CatalogRow } from "../ipc/bindings";
import type { BadgeProps } from "./Badge";

/** A server's claim about a tool, in plain words. */
export interface Claim {
  readonly label: string;
  /** For narrow places. */
  readonly short: string;
  readonly tip: string;
  readonly tone: NonNullable<BadgeProps["tone"]>;
  readonly icon: LucideIcon;
}

/** The server says that the tool may delete or overwrite something. It says so only of tools that do not just read. */
export function isDestructive({ read_only, destructive }: Pick<CatalogRow, "read_only" | "destructive">): boolean {
  return read_only !== true && destructive === true;
}

/** True unless the server rules it out: by the specification a tool without hints may destroy (`destructiveHint`). */
export function mayDestroy({ read_only, destructive }: Pick<CatalogRow, "read_only" | "destructive">): boolean {
  return read_only !== true && destructive !== false;
}

/**
 * The claims that a tool's annotations make. Annotations are hints of a server that nobody vouches
 * for (tools, "Tool annotations"), so each says whose words they are; what was not said is not shown.
 * `destructiveHint` and `idempotentHint` mean something only where the tool does not just read.
 */
export function claims(tool: CatalogRow): Claim[] {
  const found: Claim[] = [];
  const says = "Declared by the server, not verified.";
  if (tool.read_only === true) {
    found.push({
      label: "Read-only",
      short: "Read-only",
      tip: `Does not modify its environment (readOnlyHint). ${says}`,
      tone: "neutral",
      icon: Eye,
    });
  } else {
    if (isDestructive(tool)) {
      found.push({
        label: "Destructive",
        short: "Destructive",
        tip: `May delete or overwrite data (destructiveHint). ${says}`,
        tone: "warn",
        icon: Eraser,
      });
    } else if (tool.destructive === false) {
      found.push({
        label: "Additive",
        short: "Additive",
        tip: `Only adds, never deletes or overwrites (destructiveHint: false). ${says}`,
        tone: "neutral",
        icon: FilePlus2,
      });
    }
    if (tool.idempotent === true) {
      found.push({
        label: "Idempotent",
        short: "Idempotent",
        tip: `Repeating a call with the same arguments has no additional effect (idempotentHint). ${says}`,
        tone: "neutral",
        icon: Repeat,
      });
    }
  }
  if (tool.open_world === true) {
    found.push({
      label: "Open world",
      short: "Open world",
      tip: `Interacts with external entities, such as the web (openWorldHint). ${says}`,
      tone: "info",
      icon: Globe,
    });
  } else if (tool.open_world === false) {
    found.push({
      label: "Closed world",
      short: "Closed world",
      tip: `Does not interact with anything outside its own domain (openWorldHint: false). ${says}`,
      tone: "neutral",
      icon: House,
    });
  }
  return found;
}
