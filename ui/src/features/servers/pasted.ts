/** The largest text that is read as servers, in bytes; the host has the same limit. */
const LONGEST = 4 * 1024 * 1024;

/**
 * Whether a text is meant to be the configuration of another client, so that it is worth saying why it
 * cannot be read. Whether it can is the host's work.
 */
export function looksLikeServers(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[]/.test(trimmed)) return false;
  return /"(mcpServers|servers|mcp|context_servers)"\s*:/.test(trimmed) || /"(command|url)"\s*:\s*"/.test(trimmed);
}

/** Whether a text is short enough to be looked at. */
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
