import { describe, expect, it } from "vitest";

import { follow, FOLLOWING } from "./follow";
import { groupIsOn, isNarrowed, KIND_GROUPS, NO_FILTER, sinceText, toggleGroup } from "./wireWords";

describe("follow", () => {
  it("begins again at the end", () => {
    const stopped = follow(FOLLOWING, false, 100);
    expect(follow(stopped, true, 140).on).toBe(true);
  });

  it("stops once, and keeps its mark", () => {
    const stopped = follow(FOLLOWING, false, 5);
    expect(stopped).toEqual({ on: false, mark: 5 });
    expect(follow(stopped, false, 9)).toBe(stopped);
  });
});

describe("kind groups", () => {
  it("switches kinds together and back to all", () => {
    const [requests] = KIND_GROUPS;
    if (!requests) throw new Error("no groups");
    const on = toggleGroup(NO_FILTER, requests);
    expect(on.kinds).toEqual(["request", "batch"]);
    expect(groupIsOn(on, requests)).toBe(true);
    expect(isNarrowed(on)).toBe(true);
    expect(toggleGroup(on, requests).kinds).toEqual([]);
  });

  it("treats everything on as no filter", () => {
    expect(KIND_GROUPS.reduce(toggleGroup, NO_FILTER).kinds).toEqual([]);
    expect(isNarrowed(KIND_GROUPS.reduce(toggleGroup, NO_FILTER))).toBe(false);
  });

  it("has errors of any kind beside the kinds", () => {
    const [requests, , errors] = KIND_GROUPS;
    if (!requests || !errors) throw new Error("no groups");
    const on = toggleGroup(toggleGroup(NO_FILTER, requests), errors);
    expect([on.kinds, on.errors, isNarrowed(on)]).toEqual([["request", "batch"], true, true]);
    expect(groupIsOn(on, errors)).toBe(true);
    expect(toggleGroup(on, errors)).toEqual(toggleGroup(NO_FILTER, requests));
  });
});

describe("sinceText", () => {
  it("keeps milliseconds", () => {
    expect(sinceText(1_012_345.4, 1_000_000)).toBe("+12.345");
    expect(sinceText(999_999, 1_000_000)).toBe("−0.001");
  });
});
