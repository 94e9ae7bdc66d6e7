interface Named {
  readonly title: string | null;
  readonly name: string;
  /** Whether there is a name, be it an empty one. */
  readonly named?: boolean;
}

/** What to call what a server lists. That its name is empty or missing is said, as nothing would be seen of it. */
export function itemName({ title, name, named = true }: Named): string {
  return [title, name].find((text) => text !== null && text.trim() !== "") ?? (named ? "(empty name)" : "(no name)");
}
