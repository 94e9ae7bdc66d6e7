import { useMedia } from "../lib/useMedia";
import { useAppState } from "./hooks";

/** True while the window is dark, by its setting or by the system's. */
export function useIsDark(): boolean {
  const theme = useAppState(({ live }) => live.settings.theme);
  const systemIsDark = useMedia("(prefers-color-scheme: dark)");
  return theme === "dark" || (theme !== "light" && systemIsDark);
}
