interface Named {
  readonly title: string | null;
  readonly name: string;
  /** False if the server sent no name at all. An empty name counts as a name. */
  readonly named?: boolean;
}

/**
 * Returns the display name of an item. An empty or missing name is replaced by words, as nothing would be visible
 * otherwise.
 */
export function itemName({ title, name, named = true }: Named): string {
  return [title, name].find((text) => text !== null && text.trim() !== "") ?? (named ? "(empty name)" : "(no name)");
}
