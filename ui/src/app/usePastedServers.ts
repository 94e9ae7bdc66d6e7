import { useEffect } from "react";

import { looksLikeServers } from "../features/servers/pasted";
import { isTyping } from "../lib/shortcuts";
import { useActions } from "../state/hooks";

/** Configuration JSON that is pasted anywhere but into a field opens the import with it. */
export function usePastedServers(): void {
  const actions = useActions();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (event.defaultPrevented || isTyping(event.target) || !looksLikeServers(text)) return;
      event.preventDefault();
      actions.openPanel({ type: "import", text });
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, [actions]);
}
