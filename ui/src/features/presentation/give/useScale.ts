import { useLayoutEffect, useSyncExternalStore } from "react";

import { useAppState } from "../../../state/hooks";

/** The window for which type of the usual size is large enough, in px: that of a small projector. */
const WIDTH = 1024;
const HEIGHT = 768;
/** Height of the bars above and below where they have their usual size, in px. */
const BARS = 140;
/** A picture is at least so high, in px. */
const LEAST_HEIGHT = 240;
/** No window makes the type larger than this by itself. */
const MOST = 2;

/** How much larger than in the window the type of a presentation is: a larger picture is looked at from as far. */
export function useScale(): number {
  const zoom = useAppState((state) => state.live.settings.presentation_zoom) / 100;
  return zoom * useFit();
}

/** The part of it that comes from the window. */
function useFit(): number {
  return useSyncExternalStore(onResize, fit);
}

/** Room for a picture that is drawn: as wide as the column, and as high as what is beside it leaves, in px. */
export function useRoom(): { readonly width: number; readonly height: number } {
  const scale = useScale();
  const bars = BARS * useFit();
  // In steps, as above.
  const wide = useSyncExternalStore(onResize, () => Math.round(window.innerWidth / 20) * 20);
  const high = useSyncExternalStore(onResize, () => Math.round(window.innerHeight / 20) * 20);
  return {
    width: Math.max(280, Math.min(wide - 56, Math.max(720, 800 * scale))),
    height: Math.max(LEAST_HEIGHT, Math.min(560 * scale, (high - bars) / 2)),
  };
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

/** Puts the size of a presentation on the document, where the token sheet looks for it, before effects measure. */
export function usePresentationSize(): void {
  const scale = useScale();
  const fits = useFit();
  useLayoutEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset["presenting"] = "";
    style.setProperty("--scale", String(scale));
    style.setProperty("--fit", String(fits));
    return () => {
      delete dataset["presenting"];
      style.removeProperty("--scale");
      style.removeProperty("--fit");
    };
  }, [scale, fits]);
}
