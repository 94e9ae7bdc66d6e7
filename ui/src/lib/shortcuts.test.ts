import { describe, expect, it } from "vitest";

import { digitOf, keysLabel, matchesKeys, writes } from "./shortcuts";

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe("matchesKeys", () => {
  it("wants these modifiers and no other", () => {
    expect(matchesKeys(press("k", { ctrlKey: true }), "Mod+K")).toBe(true);
    expect(matchesKeys(press("K", { ctrlKey: true, shiftKey: true }), "Mod+K")).toBe(false);
    expect(matchesKeys(press("S", { ctrlKey: true, shiftKey: true }), "Mod+Shift+S")).toBe(true);
    expect(matchesKeys(press("k"), "Mod+K")).toBe(false);
    expect(matchesKeys(press("k", { ctrlKey: true, metaKey: true }), "Mod+K")).toBe(false);
    expect(matchesKeys(press("F6", { shiftKey: true }), "F6")).toBe(false);
    expect(matchesKeys(press("F6", { shiftKey: true }), "Shift+F6")).toBe(true);
  });

  it("takes characters with Shift and without, and digits by their key", () => {
    expect(matchesKeys(press("?", { shiftKey: true }), "?")).toBe(true);
    expect(matchesKeys(press("/"), "/")).toBe(true);
    expect(matchesKeys(press("+", { ctrlKey: true, shiftKey: true }), "Mod+Plus")).toBe(true);
    expect(matchesKeys(press("=", { ctrlKey: true }), "Mod+Plus")).toBe(true);
    expect(matchesKeys(press("-", { ctrlKey: true }), "Mod+Minus")).toBe(true);
    expect(matchesKeys(press("¡", { altKey: true, code: "Digit1" }), "Alt+1")).toBe(true);
    expect(matchesKeys(press("&", { ctrlKey: true, code: "Digit1" }), "Mod+1…9")).toBe(true);
    expect(digitOf(press("&", { code: "Digit1" }))).toBe(1);
    expect(matchesKeys(press("0", { ctrlKey: true, code: "Digit0" }), "Mod+1…9")).toBe(false);
  });

  it("knows what would be written", () => {
    expect(["?", "/", "Escape", "Shift+A"].filter(writes)).toHaveLength(4);
    expect(["F1", "Shift+F6", "Mod+K", "Alt+1", "Mod+Shift+S"].filter(writes)).toEqual([]);
  });
});

it("names keys as they are shown", () => {
  const shown = ["ArrowLeft", "Alt+ArrowUp", "PageDown", "Arrows", "Page Up", "Escape"].map(keysLabel);
  expect(shown).toEqual(["Left", "Alt+Up", "Page Down", "Arrows", "Page Up", "Esc"]);
});
