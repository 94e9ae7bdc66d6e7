import { useSyncExternalStore } from "react";

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

/** Whether there is room for one pane only: a small window, or one that is zoomed in. Style sheets say it too. */
export function useIsSmall(): boolean {
  return useMedia("(width < 680px)");
}
