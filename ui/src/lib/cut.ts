/** Cuts a text to at most `most` characters and marks the cut. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
