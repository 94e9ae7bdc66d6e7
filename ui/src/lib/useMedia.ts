import { createContext, useContext, useSyncExternalStore } from "react";

import { listen } from "./listen";

/** Returns true while a media query matches. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => listen(matchMedia(query), { change: changed }),
    () => matchMedia(query).matches,
  );
}

/** True in a part of the window that is small although the window is not. */
export const SmallContext = createContext(false);

/** Returns true if only one pane fits: the window or part is small, or zoomed in. Style sheets have the same limit. */
export function useIsSmall(): boolean {
  const window = useMedia("(width < 680px)");
  return useContext(SmallContext) || window;
}
