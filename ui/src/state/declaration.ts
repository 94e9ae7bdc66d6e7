import {
  DECLARATION_PRESETS,
  type Declaration,
  type DeclarationPreset,
  type ExtensionDeclaration,
} from "../ipc/bindings";
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

/** Returns the problem with the name of an extension. An empty row has none. */
export function extensionNameProblem(
  { name, settings }: ExtensionDeclaration,
  others: readonly ExtensionDeclaration[],
): string | undefined {
  const typed = name.trim();
  if (typed === "") return settings.trim() === "" ? undefined : "Enter the name of the extension.";
  return others.some((other) => other.name.trim() === typed) ? "This extension is there twice." : undefined;
}

/** Returns the problem with the settings of an extension; empty ones are `{}`. */
export function extensionSettingsProblem(settings: string): string | undefined {
  if (settings.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(settings);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return undefined;
  } catch {
    // The same words.
  }
  return "Enter a JSON object, for example {}.";
}

/** Returns true if a problem keeps the declaration from being saved. */
export function hasProblem({ extensions }: Declaration): boolean {
  return extensions.some(
    (one, index) =>
      extensionNameProblem(one, extensions.slice(0, index)) !== undefined ||
      extensionSettingsProblem(one.settings) !== undefined,
  );
}
