import { useEffect } from "react";

import { useAppState } from "../state/hooks";

/** Puts the chosen colours and size of text on the document, where the token sheet looks for them. */
export function useTheme(): void {
  const theme = useAppState((state) => state.live.settings.theme);
  const text = useAppState((state) => state.live.settings.text_size);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    document.documentElement.dataset["text"] = text;
  }, [theme, text]);
}
