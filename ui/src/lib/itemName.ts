/** What to call what a server lists. An empty name is said, as nothing would be seen of it. */
export function itemName({ title, name }: { readonly title: string | null; readonly name: string }): string {
  return [title, name].find((text) => text !== null && text.trim() !== "") ?? "(empty name)";
}
