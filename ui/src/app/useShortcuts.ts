import { useEffect } from "react";

import { releaseKeys } from "../lib/earlyKeys";
import { digitOf, isTyping, matchesKeys, movesWithin, writes } from "../lib/shortcuts";
import { listen } from "../lib/listen";
import { useApp } from "../state/hooks";
import { actOnKey } from "./actions";

/** Handles the keys that work everywhere in the window. Lists and forms handle their own keys. */
export function useShortcuts(): void {
  const app = useApp();
  useEffect(() => {
    const covered = (): boolean => {
      const { opening, overlay } = app.store.getState().view;
      return opening !== null || overlay !== null;
    };
    const done = (event: KeyboardEvent, act: ((digit: number) => void) | null): boolean => {
      if (!act) return false;
      event.preventDefault();
      if (!event.repeat) act(digitOf(event));
      return true;
    };
    /** In the capture phase, before the focused element sees keys that work everywhere. */
    const onCapture = (event: KeyboardEvent): void => {
      // The form of a note or a name has its own button. The arguments of a tool are not in a `form`.
      const form = event.target instanceof Element ? event.target.closest("form") : null;
      if (form && matchesKeys(event, "Mod+Enter")) {
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) form.querySelector<HTMLElement>("[type=submit]:enabled")?.click();
        return;
      }
      const act = actOnKey(
        (keys) => matchesKeys(event, keys),
        covered(),
        app,
        ({ everywhere }) => everywhere,
      );
      if (done(event, act)) event.stopPropagation();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const isKey = (keys: string): boolean =>
        matchesKeys(event, keys) && !(writes(keys) && (isTyping(event.target) || movesWithin(event.target, event.key)));
      done(event, actOnKey(isKey, covered(), app));
    };
    const ends = [listen(window, { keydown: onCapture }, { capture: true }), listen(window, { keydown: onKeyDown })];
    releaseKeys();
    return () => ends.forEach((end) => end());
  }, [app]);
}
