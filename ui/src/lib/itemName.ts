interface Named {
  readonly title: string | null;
  readonly name: string;
  /** False if the server sent no name at all; an empty name counts as one. */
  readonly named?: boolean;
}

/** Returns the display name of an item. An empty or missing name gets words, as nothing would be visible otherwise. */
export function itemName({ title, name, named = true }: Named): string {
  return [title, name].find((text) => text !== null && text.trim() !== "") ?? (named ? "(empty name)" : "(no name)");
}
