import { useLayoutEffect, useSyncExternalStore } from "react";

import { listen } from "../../../lib/listen";
import { useAppState } from "../../../state/hooks";

/** Window size in px (a small projector) up to which the text keeps its usual size. */
const WIDTH = 1024;
const HEIGHT = 768;
/** Height of the top and bottom bars at their usual size, in px. */
const BARS = 140;
/** Least height of a picture, in px. */
const LEAST_HEIGHT = 240;
/** Largest scale that comes from the window size alone. */
const MOST_SCALE = 2;

/**
 * Returns the text scale of a presentation: the zoom setting times the scale that fits the window, as larger screens
 * are viewed from farther away.
 */
export function useScale(): number {
  const zoom = useAppState((state) => state.live.settings.presentation_zoom) / 100;
  return zoom * useFit();
}

/** Returns the part of the scale that comes from the window. */
function useFit(): number {
  return useSyncExternalStore(onResize, fit);
}

/**
 * Returns the room for a chart in px: the width of the column, and the height that remains beside the other content.
 */
export function useRoom(): { readonly width: number; readonly height: number } {
  const scale = useScale();
  const bars = BARS * useFit();
  // In steps, like the scale.
  const wide = useSyncExternalStore(onResize, () => Math.round(window.innerWidth / 20) * 20);
  const high = useSyncExternalStore(onResize, () => Math.round(window.innerHeight / 20) * 20);
  return {
    width: Math.max(280, Math.min(wide - 56, Math.max(720, 800 * scale))),
    height: Math.max(LEAST_HEIGHT, Math.min(560 * scale, (high - bars) / 2)),
  };
}

function onResize(changed: () => void): () => void {
  return listen(window, { resize: changed });
}

/** Returns the scale for the window size, in twentieths, so that a resize does not redraw all the time. */
function fit(): number {
  const share = Math.min(window.innerWidth / WIDTH, window.innerHeight / HEIGHT, MOST_SCALE);
  return Math.max(1, Math.round(share * 20) / 20);
}

/** Sets the scale on the document element, where the token style sheet reads it, before effects measure. */
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
