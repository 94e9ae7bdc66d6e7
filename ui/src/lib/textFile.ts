/** The largest text that is read as servers or a presentation, in bytes; the host has the same limit. */
const LONGEST = 4 * 1024 * 1024;

/** Returns true for a text that is not blank and not too long. */
export function isReadable(text: string): boolean {
  return text.trim() !== "" && text.length <= LONGEST;
}

/**
 * The text of a file that was chosen or dropped.
 *
 * @throws Error with a plain sentence when it is too large or cannot be read.
 */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > LONGEST) throw new Error(`“${file.name}” is larger than 4 MiB and was not read.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`“${file.name}” is not a text file in UTF-8, or cannot be read.`);
  }
}
