import { useEffect, useSyncExternalStore } from "react";

import { useAppState } from "../../../state/hooks";

/** The window for which type of the usual size is large enough, in px: that of a small projector. */
const WIDTH = 1024;
const HEIGHT = 768;
/** No window makes the type larger than this by itself. */
const MOST = 2;

/** How much larger than in the window the type of a presentation is: a larger picture is looked at from as far. */
export function useScale(): number {
  const zoom = useAppState((state) => state.live.settings.presentation_zoom) / 100;
  return zoom * useSyncExternalStore(onResize, fit);
}

function onResize(changed: () => void): () => void {
  window.addEventListener("resize", changed);
  return () => window.removeEventListener("resize", changed);
}

/** In twentieths, so that a window that is drawn larger is not drawn anew all the time. */
function fit(): number {
  const share = Math.min(window.innerWidth / WIDTH, window.innerHeight / HEIGHT, MOST);
  return Math.max(1, Math.round(share * 20) / 20);
}

/** Puts the size of a presentation on the document, where the token sheet looks for it. */
export function usePresentationSize(): void {
  const scale = useScale();
  useEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset["presenting"] = "";
    style.setProperty("--scale", String(scale));
    return () => {
      delete dataset["presenting"];
      style.removeProperty("--scale");
    };
  }, [scale]);
}
