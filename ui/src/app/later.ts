/** Parts of the window that are not needed to show the first server. */
export const loadWire = () => import("../features/wire/WirePane");
export const loadConnection = () => import("../features/connection/ConnectionPane");
export const loadAbout = () => import("../features/about/AboutPane");
export const loadServerForm = () => import("../features/servers/ServerForm");
export const loadImport = () => import("../features/servers/ImportPanel");
export const loadSettings = () => import("../features/settings/SettingsPanel");

/** Fetches them while nothing else happens, so that each is there when it is asked for. */
export function preloadParts(): void {
  for (const load of [loadWire, loadConnection, loadAbout, loadServerForm, loadImport, loadSettings]) {
    // What fails here is fetched again, and then said, when it is needed.
    load().catch(() => undefined);
  }
}
