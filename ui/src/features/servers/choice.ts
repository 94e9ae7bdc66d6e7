import type { Chosen, ImportPreview } from "../../ipc/bindings";

/** What was chosen by hand of one text, by the places of its servers. */
export interface Choice {
  /** Those that were chosen or left out by hand. */
  readonly turned: ReadonlySet<number>;
  /** Names that were typed. */
  readonly names: Readonly<Record<number, string>>;
}

/** What was chosen by hand of each text: that which was pasted, and files of other clients by their paths. */
export type Choices = Readonly<Record<string, Choice>>;

const NOTHING: Choice = { turned: new Set(), names: {} };

/** What a server of a text is to be called, as it was typed. */
export function nameOf(preview: ImportPreview, choice: Choice | undefined, index: number): string {
  return choice?.names[index] ?? preview.candidates[index]?.draft.name ?? "";
}

/** All are chosen to begin with but those that are there already. */
export function chosenOf(preview: ImportPreview, choice: Choice | undefined): Chosen[] {
  return preview.candidates.flatMap(({ duplicate_of, draft }, index) => {
    if ((duplicate_of === null) === (choice?.turned.has(index) ?? false)) return [];
    const name = nameOf(preview, choice, index);
    return [{ index, name: name === draft.name ? null : name.trim() }];
  });
}

/** Whether a server is chosen that has no name. */
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

/** Chooses all or none, whatever is chosen now. */
export function withAll(preview: ImportPreview, choice: Choice | undefined, wanted: boolean): Choice {
  const chosen = new Set(chosenOf(preview, choice).map(({ index }) => index));
  return preview.candidates.reduce<Choice>(
    (next, _, index) => (chosen.has(index) === wanted ? next : withTurned(next, index)),
    choice ?? NOTHING,
  );
}
