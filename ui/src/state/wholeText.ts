import { BackendError, type Backend } from "../ipc/backend";
import type { DocumentSource } from "../ipc/bindings";

/**
 * Limit for copying a document, in bytes; larger ones are saved instead, as the clipboard and the window would hold
 * them whole.
 */
export const MOST_COPIED = 16 * 1024 * 1024;

/** Returns the whole document as received; fails if it is not UTF-8. */
export async function wholeText(backend: Backend, source: DocumentSource, bytes: number): Promise<string> {
  if (bytes > MOST_COPIED) throw tooLarge();
  const received = await backend.readBytes(source);
  try {
    // `ignoreBOM` keeps a byte order mark.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(received);
  } catch {
    throw notText();
  }
}

/** Returns a text that the backend had to copy; it has none above its limit. */
export function copyable(text: string | null): string {
  if (text === null) throw tooLarge();
  return text;
}

export function notText(): BackendError {
  return new BackendError({
    code: "invalid_input",
    message: "These bytes cannot be copied as text. Save them to a file instead.",
  });
}

function tooLarge(): BackendError {
  return new BackendError({
    code: "invalid_input",
    message: "This is too large to copy. Save it to a file instead.",
  });
}
