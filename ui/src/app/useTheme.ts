import { useLayoutEffect } from "react";

import { useAppState } from "../state/hooks";

/**
 * Sets the chosen colours, or those of the running presentation, and the text size on the document for the token
 * sheet.
 */
export function useTheme(): void {
  const theme = useAppState(({ live, view }) => {
    const dark = view.giving?.dark ?? null;
    return dark === null ? live.settings.theme : dark ? "dark" : "light";
  });
  const text = useAppState((state) => state.live.settings.text_size);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    document.documentElement.dataset["text"] = text;
  }, [theme, text]);
}
