import { useEffect } from "react";

import { digitOf, isTyping, matchesKeys, movesWithin, writes } from "../lib/shortcuts";
import { useApp } from "../state/hooks";
import { actOnKey } from "./actions";

/** The keys that work everywhere in the window. Those of a list or a form are at home there. */
export function useShortcuts(): void {
  const app = useApp();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { opening, overlay } = app.store.getState().view;
      const isKey = (keys: string): boolean =>
        matchesKeys(event, keys) && !(writes(keys) && (isTyping(event.target) || movesWithin(event.target, event.key)));
      const act = actOnKey(isKey, opening !== null || overlay !== null, app);
      if (!act) return;
      event.preventDefault();
      if (!event.repeat) act(digitOf(event));
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [app]);
}
