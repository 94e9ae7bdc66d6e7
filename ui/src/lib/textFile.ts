/** Limit of a text with servers or a presentation, in bytes; the host has the same limit. */
const LONGEST_TEXT = 4 * 1024 * 1024;

/** Returns true for a text that is not blank and not too long. */
export function isReadable(text: string): boolean {
  return text.trim() !== "" && text.length <= LONGEST_TEXT;
}

/**
 * Reads the text of a file that was chosen or dropped.
 *
 * @throws Error with a plain sentence if the file is too large or cannot be read.
 */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > LONGEST_TEXT) throw new Error(`“${file.name}” is larger than 4 MiB and was not read.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`“${file.name}” is not a text file in UTF-8, or cannot be read.`);
  }
}
