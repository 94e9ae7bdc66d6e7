import { DECLARATION_PRESETS, type Declaration, type DeclarationPreset } from "../ipc/bindings";
import { plainDeclaration } from "../ipc/drafts";

/** Returns the preset that filled in a declaration; nothing for a preset of another version of the app. */
export function presetOf({ preset }: Declaration): DeclarationPreset | undefined {
  return DECLARATION_PRESETS.find(({ id }) => id === preset);
}

/** Returns true if two declarations are equal. */
export function isSame(one: Declaration, other: Declaration): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function isPlain(declaration: Declaration): boolean {
  return isSame(declaration, plainDeclaration);
}

/** Returns true if the declaration differs from its preset. */
export function isChanged(declaration: Declaration): boolean {
  const preset = presetOf(declaration);
  return !preset || !isSame(declaration, preset.declaration);
}

/** Names the declared client: `Claude Code, changed`. */
export function declaredAs(declaration: Declaration): string {
  const name = presetOf(declaration)?.name ?? declaration.preset;
  return isChanged(declaration) ? `${name}, changed` : name;
}

/** Describes a server's declaration in a sentence, if it differs from the default. */
export function declaredWords(declaration: Declaration): string | null {
  if (isPlain(declaration)) return null;
  if (declaration.preset === "nothing" && !isChanged(declaration)) return "Declares no capability";
  return `Declared as ${declaredAs(declaration)}`;
}
