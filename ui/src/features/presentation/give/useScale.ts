import { useEffect } from "react";

import { useAppState } from "../../../state/hooks";

/** How much larger than in the window the type of a presentation is. */
export function useScale(): number {
  return useAppState((state) => state.live.settings.presentation_zoom) / 100;
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
