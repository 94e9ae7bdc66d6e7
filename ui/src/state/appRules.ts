/** What apps of a server may do without the user being asked, until Sonde is closed. */
import type { AppRequest } from "../lib/apps/request";

/** Names what a rule allows; `null` for what is asked for each time, or not at all. */
export function ruleOf(request: AppRequest): string | null {
  switch (request.type) {
    case "tool":
      return `tool ${request.name}`;
    case "resource":
      return "resources";
    case "display":
      return "fullscreen";
    // A page is opened only where its whole address was seen.
    case "link":
    case "message":
    case "context":
      return null;
  }
}

/** What a rule allows, in words. */
export function ruleWords(rule: string): string {
  if (rule === "resources") return "Read resources";
  return rule === "fullscreen" ? "Show itself full size" : `Call ${rule.slice("tool ".length)}`;
}
