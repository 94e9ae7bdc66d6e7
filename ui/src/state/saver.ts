/** Silence after the last keystroke before what was typed is handed to the host, in milliseconds. */
const SAVE_DELAY = 600;

/** Hands over what is typed: each thing a moment after its last change, or at once when asked to. */
export function createSaver() {
  const unsaved = new Map<
    string,
    { readonly timer: ReturnType<typeof setTimeout>; readonly save: () => Promise<unknown> }
  >();

  /** Forgets that something was changed. */
  function drop(key: string): void {
    clearTimeout(unsaved.get(key)?.timer);
    unsaved.delete(key);
  }

  /** Hands something over at once, if it was changed. */
  async function now(key: string): Promise<void> {
    const changed = unsaved.get(key);
    drop(key);
    await changed?.save();
  }

  return {
    drop,
    now,
    soon(key: string, save: () => Promise<unknown>): void {
      clearTimeout(unsaved.get(key)?.timer);
      unsaved.set(key, { timer: setTimeout(() => void now(key), SAVE_DELAY), save });
    },
    /** Hands over at once all that was changed and has one of these keys. */
    async all(isOne: (key: string) => boolean = () => true): Promise<void> {
      await Promise.all([...unsaved.keys()].filter(isOne).map(now));
    },
  };
}
