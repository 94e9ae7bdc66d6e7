import type { Chosen, ImportPreview } from "../../ipc/bindings";

/** Choices made by hand for one text, by the indices of its servers. */
export interface Choice {
  /** Servers whose default choice was reversed by hand. */
  readonly turned: ReadonlySet<number>;
  /** Typed names. */
  readonly names: Readonly<Record<number, string>>;
}

/** Choices made by hand for each text: the pasted one, and files of other clients by their paths. */
export type Choices = Readonly<Record<string, Choice>>;

const NOTHING: Choice = { turned: new Set(), names: {} };

/** Returns the name of a server in a text: the typed one, or else that in the text. */
export function nameOf(preview: ImportPreview, choice: Choice | undefined, index: number): string {
  return choice?.names[index] ?? preview.candidates[index]?.config.name ?? "";
}

/** Returns the chosen servers. By default those that do not exist yet are chosen. */
export function chosenOf(preview: ImportPreview, choice: Choice | undefined): Chosen[] {
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

export function withTurned(choice: Choice = NOTHING, index: number): Choice {
  const turned = new Set(choice.turned);
  if (!turned.delete(index)) turned.add(index);
  return { ...choice, turned };
}

export function withName(choice: Choice = NOTHING, index: number, name: string): Choice {
  return { ...choice, names: { ...choice.names, [index]: name } };
}

/** Chooses all servers or none, regardless of the present choice. */
export function withAll(preview: ImportPreview, choice: Choice | undefined, wanted: boolean): Choice {
  const chosen = new Set(chosenOf(preview, choice).map(({ index }) => index));
  return preview.candidates.reduce<Choice>(
    (next, _, index) => (chosen.has(index) === wanted ? next : withTurned(next, index)),
    choice ?? NOTHING,
  );
}
