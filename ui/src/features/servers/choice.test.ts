import { describe, expect, it } from "vitest";

import type { ImportPreview } from "../../ipc/bindings";
import { chosenOf, isUnnamed, nameOf, withAll, withName, withTurned } from "./choice";

const candidate = (name: string, duplicate_of: string | null) => ({ config: { name }, remarks: [], duplicate_of });
const preview = {
  candidates: [candidate("files", null), candidate("tickets", "known"), candidate("notes", null)],
} as unknown as ImportPreview;

describe("what is chosen of a text", () => {
  it("is all to begin with but what is there already", () => {
    expect(chosenOf(preview, undefined).map(({ index }) => index)).toEqual([0, 2]);
    const turned = withTurned(withTurned(undefined, 0), 1);
    expect(chosenOf(preview, turned).map(({ index }) => index)).toEqual([1, 2]);
    expect(chosenOf(preview, withAll(preview, turned, true))).toHaveLength(3);
    expect(chosenOf(preview, withAll(preview, turned, false))).toHaveLength(0);
  });

  it("has the names that were typed", () => {
    const named = withName(withName(undefined, 0, " Mine "), 2, "notes");
    expect(chosenOf(preview, named)).toEqual([
      { index: 0, name: "Mine" },
      { index: 2, name: null },
    ]);
    expect(nameOf(preview, named, 0)).toBe(" Mine ");
    expect(isUnnamed(chosenOf(preview, named))).toBe(false);
    expect(isUnnamed(chosenOf(preview, withName(named, 2, "  ")))).toBe(true);
    // Servers that are not chosen need no name.
    expect(isUnnamed(chosenOf(preview, withName(undefined, 1, "")))).toBe(false);
  });
});
