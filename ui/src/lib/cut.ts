/** A text of at most so many characters, with a mark where it goes on. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
