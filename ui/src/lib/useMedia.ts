import { createContext, useContext, useSyncExternalStore } from "react";

/** Whether a media query holds, as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Set where a part of the window is small though the window is not. */
export const SmallContext = createContext(false);

/** Whether there is room for one pane only: a small window or part, or one that is zoomed in. Style sheets say it too. */
export function useIsSmall(): boolean {
  const window = useMedia("(width < 680px)");
  return useContext(SmallContext) || window;
}
