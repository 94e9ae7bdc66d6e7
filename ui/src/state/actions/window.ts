import type { Settings } from "../../ipc/bindings";
import { normalForm } from "../../lib/address";
import { nextZoom } from "../../lib/zoom";
import type { LinkSource } from "../view";
import type { Context } from "./context";

/** Actions on the whole window: notices, settings, and links out of it. */
export function windowActions(context: Context) {
  const { setView, attempt, command, succeeds, settingsNow, changeSettings, getState } = context;

  return {
    async dismissNotice(id: number): Promise<void> {
      if (id < 0) {
        const { localNotices } = getState().view;
        return setView({ localNotices: localNotices.filter((one) => one.id !== id) });
      }
      await command("dismiss_notice", { id });
    },
    /** Zooms the window in (1) or out (-1) by a step, or resets the zoom (0). */
    async zoom(by: -1 | 0 | 1): Promise<void> {
      await attempt(changeSettings({ zoom: by === 0 ? 100 : nextZoom(settingsNow().zoom, by) }));
    },
    async updateSettings(change: Partial<Settings>): Promise<void> {
      await attempt(changeSettings(change));
    },
    /** Asks the user whether to open an address; the only way out of the window. */
    askToOpen: (url: string, from: LinkSource = "server") => setView({ opening: { url, from } }),
    /**
     * Opens a page whose whole address the user has seen beside the button. Returns false if it could not be opened.
     */
    openPage: (address: string): Promise<boolean> => succeeds("open_external", { url: normalForm(address) }),
    async answerOpen(open: boolean): Promise<void> {
      const { opening } = getState().view;
      setView({ opening: null });
      if (open && opening) await command("open_external", { url: normalForm(opening.url) });
    },
  };
}
