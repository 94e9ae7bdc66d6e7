import { useEffect } from "react";

import { useAppState } from "../state/hooks";

/** Puts the chosen colours on the document, where the token sheet looks for them. */
export function useTheme(): void {
  const theme = useAppState((state) => state.live.settings.theme);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
}
