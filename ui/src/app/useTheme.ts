import { useEffect } from "react";

import { useAppState } from "../state/hooks";

/** Puts the chosen colours, those of the presentation that is given, and size of text on the document, where the token sheet looks for them. */
export function useTheme(): void {
  const theme = useAppState(({ live, view }) => {
    const dark = view.giving?.dark ?? null;
    return dark === null ? live.settings.theme : dark ? "dark" : "light";
  });
  const text = useAppState((state) => state.live.settings.text_size);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    document.documentElement.dataset["text"] = text;
  }, [theme, text]);
}
