import { askEarly } from "../ipc/askEarly";
import type { Backend } from "../ipc/backend";
import { tauriBackend } from "../ipc/tauri";

/**
 * The host of this page. This file and all it imports are a script of their own, which runs while the rest of the page is
 * still loading.
 *
 * It is the desktop. Development and test builds use the fake if the address asks for it (`?fake=<scenario>`) or if there
 * is no desktop, as in a plain browser.
 */
export const host: Promise<Backend> =
  (__FAKE_BACKEND__ && simulatedHost()) || Promise.resolve(askEarly(tauriBackend()));

function simulatedHost(): Promise<Backend> | null {
  const scenario = new URLSearchParams(location.search).get("fake");
  if (scenario === null && "__TAURI_INTERNALS__" in window) return null;
  return import("../ipc/fake").then(({ fakeBackend }) => fakeBackend(scenario ?? "first"));
}
