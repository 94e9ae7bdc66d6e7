import { Eraser, Eye, FilePlus2, Globe, House, Repeat, type LucideIcon } from "lucide-react";

import type { BadgeProps } from "../../components/Badge";
import type { ToolSummary } from "../../ipc/bindings";

/** What a server claims about a tool, in plain words. */
export interface Claim {
  readonly label: string;
  /** For narrow places. */
  readonly short: string;
  readonly tip: string;
  readonly tone: NonNullable<BadgeProps["tone"]>;
  readonly icon: LucideIcon;
}

/**
 * The claims that a tool's annotations make. Annotations are hints of a server that nobody vouches
 * for (tools, "Tool annotations"), so each says whose words they are; what was not said is not shown.
 * `destructiveHint` and `idempotentHint` mean something only where the tool does not just read.
 */
export function claims(tool: ToolSummary): Claim[] {
  const found: Claim[] = [];
  const says = "The server says so; nothing checks it.";
  if (tool.read_only === true) {
    found.push({
      label: "Reads only",
      short: "Reads only",
      tip: `It changes nothing (readOnlyHint). ${says}`,
      tone: "ok",
      icon: Eye,
    });
  } else {
    if (tool.destructive === true) {
      found.push({
        label: "May delete or overwrite",
        short: "May delete",
        tip: `It may delete or overwrite what is there (destructiveHint). ${says}`,
        tone: "warn",
        icon: Eraser,
      });
    } else if (tool.destructive === false) {
      found.push({
        label: "Only adds",
        short: "Only adds",
        tip: `It adds and leaves what is there as it is (destructiveHint: false). ${says}`,
        tone: "neutral",
        icon: FilePlus2,
      });
    }
    if (tool.idempotent === true) {
      found.push({
        label: "Safe to repeat",
        short: "Repeatable",
        tip: `Calling it again with the same arguments changes nothing more (idempotentHint). ${says}`,
        tone: "neutral",
        icon: Repeat,
      });
    }
  }
  if (tool.open_world === true) {
    found.push({
      label: "Reaches outside",
      short: "Outside",
      tip: `It deals with the world outside, such as the web (openWorldHint). ${says}`,
      tone: "info",
      icon: Globe,
    });
  } else if (tool.open_world === false) {
    found.push({
      label: "Stays inside",
      short: "Inside",
      tip: `It deals with nothing outside its own domain (openWorldHint: false). ${says}`,
      tone: "neutral",
      icon: House,
    });
  }
  return found;
}
