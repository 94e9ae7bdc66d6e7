import type { Backend } from "../ipc/backend";
import { tauriBackend } from "../ipc/tauri";

/**
 * Returns the desktop host. Development and test builds use the fake if the address asks for it (`?fake=<scenario>`) or
 * if there is no host, as in a plain browser.
 */
export async function chooseBackend(): Promise<Backend> {
  if (__FAKE_BACKEND__) {
    const scenario = new URLSearchParams(location.search).get("fake");
    if (scenario !== null || !("__TAURI_INTERNALS__" in window)) {
      const { fakeBackend } = await import("../ipc/fake");
      return fakeBackend(scenario ?? "first");
    }
  }
  return tauriBackend();
}
