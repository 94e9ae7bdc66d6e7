/** Pause after the last keystroke before typed text is sent to the host, in milliseconds. */
const SAVE_DELAY = 600;

export type Saver = ReturnType<typeof createSaver>;

/** Sends typed text to the host: each entry a moment after its last change, or at once on request. */
export function createSaver() {
  const unsaved = new Map<
    string,
    { readonly timer: ReturnType<typeof setTimeout>; readonly save: () => Promise<unknown> }
  >();
  /** Entries on their way to the host. */
  const sending = new Map<string, Promise<unknown>>();

  /** Forgets a change. */
  function drop(key: string): void {
    clearTimeout(unsaved.get(key)?.timer);
    unsaved.delete(key);
  }

  /** Sends an entry at once, if it was changed. The host has it afterwards, also if it was on its way already. */
  async function now(key: string): Promise<void> {
    const changed = unsaved.get(key);
    drop(key);
    if (changed) {
      const sent = Promise.all([sending.get(key), changed.save()]).finally(() => {
        if (sending.get(key) === sent) sending.delete(key);
      });
      sending.set(key, sent);
    }
    await sending.get(key);
  }

  function soon(key: string, save: () => Promise<unknown>): void {
    clearTimeout(unsaved.get(key)?.timer);
    unsaved.set(key, { timer: setTimeout(() => void now(key), SAVE_DELAY), save });
  }

  return {
    drop,
    now,
    soon,
    /** Like `soon`, but a moment after the first change, as changes may follow each other without a pause. */
    atLatest(key: string, save: () => Promise<unknown>): void {
      if (!unsaved.has(key)) soon(key, save);
    },
    /** Sends all changed entries at once. The host has them afterwards. */
    async all(): Promise<void> {
      await Promise.all([...new Set([...unsaved.keys(), ...sending.keys()])].map(now));
    },
  };
}
