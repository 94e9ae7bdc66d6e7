import { DECLARATION_PRESETS, type Declaration, type DeclarationPreset } from "../ipc/bindings";
import { plainDeclaration } from "../ipc/drafts";

/** The preset that filled a declaration in; nothing for one of another version of the app. */
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

/** As what the client is declared: `Claude Code, changed`. */
export function declaredAs(declaration: Declaration): string {
  const name = presetOf(declaration)?.name ?? declaration.preset;
  return isChanged(declaration) ? `${name}, changed` : name;
}

/** The same as a statement, where it is not what every server gets. */
export function declaredWords(declaration: Declaration): string | null {
  if (isPlain(declaration)) return null;
  if (declaration.preset === "nothing" && !isChanged(declaration)) return "Declares no capability";
  return `Declared as ${declaredAs(declaration)}`;
}
