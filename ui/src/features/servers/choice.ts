import type { Chosen, ImportPreview } from "../../ipc/bindings";
import type { ImportChoice, ImportForm } from "../../state/view";

export type Choices = ImportForm["choices"];

const NOTHING: ImportChoice = { turned: new Set(), names: {} };

/** Returns the name of a server in a text: the typed one, or else that in the text. */
export function nameOf(preview: ImportPreview, choice: ImportChoice | undefined, index: number): string {
  return choice?.names[index] ?? preview.candidates[index]?.config.name ?? "";
}

/** Returns the chosen servers. By default those that do not exist yet are chosen. */
export function chosenOf(preview: ImportPreview, choice: ImportChoice | undefined): Chosen[] {
  return preview.candidates.flatMap(({ duplicate_of, config }, index) => {
    if ((duplicate_of === null) === (choice?.turned.has(index) ?? false)) return [];
    const name = nameOf(preview, choice, index);
    return [{ index, name: name === config.name ? null : name.trim() }];
  });
}

/** True if a chosen server has no name. */
export function isUnnamed(chosen: readonly Chosen[]): boolean {
  return chosen.some(({ name }) => name === "");
}

export function withTurned(choice: ImportChoice = NOTHING, index: number): ImportChoice {
  const turned = new Set(choice.turned);
  if (!turned.delete(index)) turned.add(index);
  return { ...choice, turned };
}

export function withName(choice: ImportChoice = NOTHING, index: number, name: string): ImportChoice {
  return { ...choice, names: { ...choice.names, [index]: name } };
}

/** Chooses all servers or none, regardless of the present choice. */
export function withAll(preview: ImportPreview, choice: ImportChoice | undefined, wanted: boolean): ImportChoice {
  const chosen = new Set(chosenOf(preview, choice).map(({ index }) => index));
  return preview.candidates.reduce<ImportChoice>(
    (next, _, index) => (chosen.has(index) === wanted ? next : withTurned(next, index)),
    choice ?? NOTHING,
  );
}
