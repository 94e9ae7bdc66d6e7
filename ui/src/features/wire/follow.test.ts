import { describe, expect, it } from "vitest";

import { follow, FOLLOWING, newCount } from "./follow";
import { groupIsOn, isNarrowed, KIND_GROUPS, NO_FILTER, sinceText, toggleGroup } from "./wireWords";

describe("follow", () => {
  it("stops when the user scrolls up, and counts what comes", () => {
    const stopped = follow(FOLLOWING, false, 100);
    expect(stopped.on).toBe(false);
    expect(newCount(stopped, 100)).toBe(0);
    expect(newCount(stopped, 107)).toBe(7);
  });

  it("does not move the mark while the user goes on scrolling", () => {
    const stopped = follow(FOLLOWING, false, 100);
    expect(newCount(follow(stopped, false, 110), 120)).toBe(20);
  });

  it("begins again at the end", () => {
    const stopped = follow(FOLLOWING, false, 100);
    const again = follow(stopped, true, 140);
    expect(again.on).toBe(true);
    expect(newCount(again, 150)).toBe(0);
  });

  it("stops when a row is selected, once", () => {
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
