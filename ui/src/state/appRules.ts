/** What apps of a server may do without the user being asked, until Sonde is closed. */
import type { AppRequest } from "../lib/apps/request";

/** What a rule allows. A tool is meant as it was defined then: with another definition it may do something else. */
export type AppRule =
  | { readonly type: "tool"; readonly name: string; readonly definition: string }
  | { readonly type: "resources" }
  | { readonly type: "fullscreen" };

/** The rule that would allow a request, to a tool of this definition; `null` for what is asked for each time, or not at all. */
export function ruleOf(request: AppRequest, definition: string): AppRule | null {
  switch (request.type) {
    case "tool":
      return { type: "tool", name: request.name, definition };
    case "resource":
      return { type: "resources" };
    case "display":
      return { type: "fullscreen" };
    // A page is opened only where its whole address was seen.
    case "link":
    case "message":
    case "context":
      return null;
  }
}

/** Whether two rules allow the same. */
export function isSameRule(one: AppRule, other: AppRule): boolean {
  if (one.type !== "tool" || other.type !== "tool") return one.type === other.type;
  return one.name === other.name && one.definition === other.definition;
}

/** What a rule allows, in words. */
export function ruleWords(rule: AppRule): string {
  if (rule.type === "tool") return `Call ${rule.name}`;
  return rule.type === "resources" ? "Read resources" : "Show itself full size";
}
