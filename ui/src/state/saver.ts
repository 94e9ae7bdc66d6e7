/** Pause after the last keystroke before typed text is sent to the host, in milliseconds. */
const SAVE_DELAY = 600;

export type Saver = ReturnType<typeof createSaver>;

/** Sends typed text to the host: each entry a moment after its last change, or at once on request. */
export function createSaver() {
  const unsaved = new Map<
    string,
    { readonly timer: ReturnType<typeof setTimeout>; readonly save: () => Promise<unknown> }
  >();

  /** Forgets a change. */
  function drop(key: string): void {
    clearTimeout(unsaved.get(key)?.timer);
    unsaved.delete(key);
  }

  /** Sends an entry at once, if it was changed. */
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
    /** Sends all changed entries at once. */
    async all(): Promise<void> {
      await Promise.all([...unsaved.keys()].map(now));
    },
  };
}
