import { describe, expect, it } from "vitest";

import { KeyboardWatch } from "./keyboardWatch";

describe("an app that gets the focus", () => {
  it("may have it after a press in it", () => {
    const watch = new KeyboardWatch();
    watch.onKey("a", 0);
    watch.onEnter(100);
    expect(watch.isTheft(true, 200)).toBe(false);
  });

  it("may have it after Tab", () => {
    const watch = new KeyboardWatch();
    watch.onKey("a", 0);
    watch.onKey("Tab", 100);
    expect(watch.isTheft(false, 110)).toBe(false);
    expect(watch.isTheft(false, 2000)).toBe(true);
  });

  it("stole it where the pointer is elsewhere", () => {
    const watch = new KeyboardWatch();
    watch.onEnter(0);
    expect(watch.isTheft(false, 10_000)).toBe(true);
    watch.onKey("Tab", 10_000);
    watch.onKey("a", 10_100);
    expect(watch.isTheft(false, 10_110)).toBe(true);
  });

  it("stole it while the user types, though the pointer rests on it", () => {
    const watch = new KeyboardWatch();
    watch.onEnter(0);
    watch.onKey("a", 100);
    expect(watch.isTheft(true, 200)).toBe(true);
    expect(watch.isTheft(true, 5000)).toBe(false);
  });
});
