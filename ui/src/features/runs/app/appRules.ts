/** Rules that let apps of a server act without asking the user, until Sonde is closed. */
import type { AppRequest } from "../../../lib/apps/request";
import type { Slice } from "../../../state/slices/slice";

/**
 * A permission for apps. A tool is allowed with its current definition only, as another definition may do something
 * else.
 */
export type AppRule =
  | { readonly type: "tool"; readonly name: string; readonly definition: string }
  | { readonly type: "resources" }
  | { readonly type: "fullscreen" };

/** Permissions of a server's apps to act without asking. */
export const appsSlice: Slice<{ readonly rules: readonly AppRule[] }> = { name: "apps", initial: { rules: [] } };

/**
 * Returns the rule that would allow a request, for a tool with this definition; `null` for requests that are asked
 * about each time, or never allowed.
 */
export function ruleOf(request: AppRequest, definition: string): AppRule | null {
  switch (request.type) {
    case "tool":
      return { type: "tool", name: request.name, definition };
    case "resource":
      return { type: "resources" };
    case "display":
      return { type: "fullscreen" };
    // A page opens only after its whole address was shown.
    case "link":
    case "message":
    case "context":
      return null;
  }
}

/** Returns true if two rules allow the same. */
export function isSameRule(one: AppRule, other: AppRule): boolean {
  if (one.type !== "tool" || other.type !== "tool") return one.type === other.type;
  return one.name === other.name && one.definition === other.definition;
}

/** Describes a permission. */
export function ruleWords(rule: AppRule): string {
  if (rule.type === "tool") return `Call ${rule.name}`;
  return rule.type === "resources" ? "Read resources" : "Show itself full size";
}
