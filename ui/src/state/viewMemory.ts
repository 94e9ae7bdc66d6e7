import type { Settings } from "../ipc/bindings";
import { itemsSlice } from "./slices/items";
import { sliceOf } from "./slices/slice";
import type { Store } from "./store";

/** Milliseconds in which changes are gathered. */
const GATHER = 600;

/**
 * Keeps in the settings what is on show, for the next start: the server beside the selected one, the filter of the list of
 * servers, and of every server its view and its tool. Only convenience: where it cannot be kept, nobody is told.
 */
export function createViewMemory(
  store: Store,
  settingsNow: () => Settings,
  changeSettings: (change: Partial<Settings>) => Promise<void>,
) {
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function save(): Promise<void> {
    timer = null;
    const { view, live } = store.getState();
    if (!live.ready) return;
    const before = settingsNow();
    const beside = view.beside?.server ?? null;
    const shown = Object.entries(view.perServer).map(
      ([server, ui]) => [server, { tab: ui.tab, tool: sliceOf(ui, itemsSlice).tool }] as const,
    );
    const views = Object.fromEntries(
      [...new Map([...Object.entries(before.views), ...shown])]
        .filter(([server]) => server in live.servers)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
    const server_filter = view.serverFilter;
    if (
      before.beside === beside &&
      before.server_filter === server_filter &&
      JSON.stringify(before.views) === JSON.stringify(views)
    )
      return;
    await changeSettings({ beside, server_filter, views }).catch(() => undefined);
  }

  return {
    /** Something may be on show that was not before. */
    changed(): void {
      timer ??= setTimeout(() => void save(), GATHER);
    },
    /** Keeps it at once, as before the window goes. */
    async flush(): Promise<void> {
      if (timer === null) return;
      clearTimeout(timer);
      await save();
    },
  };
}
