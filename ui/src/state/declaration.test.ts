import { expect, it } from "vitest";

import { DECLARATION_PRESETS, type Declaration } from "../ipc/bindings";
import { plainDeclaration } from "../ipc/drafts";
import { declaredAs, declaredWords, isChanged, isPlain, presetOf } from "./declaration";

const preset = (id: string): Declaration =>
  DECLARATION_PRESETS.find((each) => each.id === id)?.declaration ?? plainDeclaration;

it("begins with what the backend declares without a setting", () => {
  expect(DECLARATION_PRESETS[0]?.declaration).toEqual(plainDeclaration);
  expect(isPlain(preset("sonde"))).toBe(true);
  expect(declaredWords(plainDeclaration)).toBeNull();
});

it("says as what the client is declared, and whether that was changed", () => {
  const claude = preset("claude_code");
  expect(declaredWords(claude)).toBe("Declared as Claude Code");
  const changed = { ...claude, sampling: { context: false, tools: false } };
  expect([isChanged(claude), isChanged(changed)]).toEqual([false, true]);
  expect(declaredWords(changed)).toBe("Declared as Claude Code, changed");
  expect(declaredWords(preset("nothing"))).toBe("Declares no capability");
  expect(declaredWords({ ...plainDeclaration, roots: null })).toBe("Declared as Everything Sonde can, changed");
  // The preset of another version of the app.
  const unknown = { ...claude, preset: "tomorrow" };
  expect(presetOf(unknown)).toBeUndefined();
  expect(declaredAs(unknown)).toBe("tomorrow, changed");
});
