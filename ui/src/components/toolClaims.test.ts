import { describe, expect, it } from "vitest";

import { isDestructive, mayDestroy } from "./toolClaims";

describe("what a tool may destroy", () => {
  it.each([
    [null, null, false, true],
    [false, null, false, true],
    [false, true, true, true],
    [null, false, false, false],
    [true, true, false, false],
    [true, null, false, false],
  ])("read-only %s, destructive %s", (read_only, destructive, says, may) => {
    expect([isDestructive({ read_only, destructive }), mayDestroy({ read_only, destructive })]).toEqual([says, may]);
  });
});
