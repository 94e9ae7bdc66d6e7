import type { KeyboardEvent } from "react";
import { describe, expect, it } from "vitest";

import { onListKey, rowByKey } from "./rowInput";

describe("rowByKey", () => {
  it.each([
    ["ArrowDown", 4, 5],
    ["ArrowUp", 4, 3],
    ["PageDown", 4, 13],
    ["PageUp", 14, 5],
    ["Home", 50, 0],
    ["End", 50, 99],
    // No row is selected yet.
    ["ArrowDown", -1, 0],
    // At the ends the selection stays.
    ["ArrowUp", 0, 0],
    ["PageDown", 95, 99],
  ])("%s leads from row %d to row %d", (key, at, to) => expect(rowByKey(key, at, 100, 10)).toBe(to));

  it("moves by a row at least, where hardly one is visible", () => {
    expect(rowByKey("PageDown", 3, 100, 1)).toBe(4);
  });

  it("leaves other keys and empty lists alone", () => {
    expect(rowByKey("Enter", 3, 100, 10)).toBeNull();
    expect(rowByKey("End", -1, 0, 10)).toBeNull();
  });
});

it("hands letters to a list in lower case, as Caps Lock changes them", () => {
  const keys: string[] = [];
  const onKey = (key: string): boolean => keys.push(key) > 0;
  for (const key of ["J", "j", "Enter"]) {
    const event = Object.assign(new Event("keydown"), { key }) as unknown as KeyboardEvent;
    onListKey(event, { at: 0, rows: 1, fit: 1, onMove: () => undefined, onKey });
  }
  expect(keys).toEqual(["j", "j", "Enter"]);
});
