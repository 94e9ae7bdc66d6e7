import { describe, expect, it } from "vitest";

import { isSameRule, ruleOf } from "./appRules";

const call = { type: "tool", name: "look", arguments: "{}" } as const;

describe("a rule for apps", () => {
  it("allows a tool as it was defined when it was allowed, with any arguments", () => {
    const rule = ruleOf(call, "first");
    const again = ruleOf({ ...call, arguments: '{"far":true}' }, "first");
    const changed = ruleOf(call, "second");
    const other = ruleOf({ ...call, name: "launch" }, "first");
    if (rule === null || again === null || changed === null || other === null) throw new Error("there is no rule");
    expect(isSameRule(rule, again)).toBe(true);
    expect(isSameRule(rule, changed)).toBe(false);
    expect(isSameRule(rule, other)).toBe(false);
  });

  it("never allows a page, which has to be seen each time, nor what is shown without asking", () => {
    expect(ruleOf({ type: "link", url: "https://example.com/" }, "")).toBeNull();
    expect(ruleOf({ type: "message", text: "Hello" }, "")).toBeNull();
    expect(ruleOf({ type: "context", text: "Hello" }, "")).toBeNull();
    expect(ruleOf({ type: "resource", uri: "ui://a" }, "")).toEqual({ type: "resources" });
  });
});
