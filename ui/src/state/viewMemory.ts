import type { Settings } from "../ipc/bindings";
import type { Saver } from "./saver";
import { itemsSlice } from "./slices/items";
import { sliceOf } from "./slices/slice";
import type { Store } from "./store";

/**
 * Returns a function that handles a possible change of the view. It stores in the settings the view to restore at the
 * next start: the server beside the selected one, the filter of the list of servers, and the tab and tool of every
 * server. A convenience only: failures are not reported.
 */
export function createViewMemory(
  store: Store,
  saver: Saver,
  settingsNow: () => Settings,
  changeSettings: (change: Partial<Settings>) => Promise<void>,
) {
  async function save(): Promise<void> {
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

  return (): void => saver.atLatest("view", save);
}
