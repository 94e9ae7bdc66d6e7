import { useMedia } from "../../../lib/useMedia";
import { useAppState } from "../../../state/hooks";

/** True on a dark background. */
export function useIsDark(): boolean {
  const theme = useAppState(({ live }) => live.settings.theme);
  const chosen = useAppState(({ view }) => view.giving?.dark ?? null);
  const system = useMedia("(prefers-color-scheme: dark)");
  return chosen ?? (theme === "dark" || (theme === "system" && system));
}
