import { BackendError, type Backend } from "../ipc/backend";
import type { DocumentSource } from "../ipc/bindings";

/**
 * Limit for copying a document, in bytes; larger ones are saved instead, as the clipboard and the window would hold
 * them whole.
 */
export const MOST_COPIED = 16 * 1024 * 1024;

/** Returns the whole document as received. */
export async function wholeText(backend: Backend, source: DocumentSource, bytes: number): Promise<string> {
  if (bytes > MOST_COPIED) throw tooLarge();
  return new TextDecoder().decode(await backend.readBytes(source));
}

/** Returns a text that the backend had to copy; it has none above its limit. */
export function copyable(text: string | null): string {
  if (text === null) throw tooLarge();
  return text;
}

function tooLarge(): BackendError {
  return new BackendError({
    code: "invalid_input",
    message: "This is too large to copy. Save it to a file instead.",
  });
}
