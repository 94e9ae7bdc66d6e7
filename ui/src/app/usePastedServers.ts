import { useEffect } from "react";

import { looksLikeServers } from "../features/servers/pasted";
import { isTyping } from "../lib/shortcuts";
import { isReadable } from "../lib/textFile";
import { useActions, useBackend } from "../state/hooks";

/**
 * Servers that are pasted anywhere but into a field open the import with them: a URL, a command line, the
 * configuration of another client. Any other text is left alone.
 */
export function usePastedServers(): void {
  const actions = useActions();
  const backend = useBackend();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (event.defaultPrevented || isTyping(event.target) || !isReadable(text)) return;
      event.preventDefault();
      const open = (): void => actions.openPanel({ type: "import", text, given: true });
      if (looksLikeServers(text)) open();
      else backend.call("preview_import", { text }).then(open, () => undefined);
    };
    // WebKit tells of a paste outside of a field only where this is taken.
    const onBefore = (event: Event): void => {
      if (!isTyping(event.target)) event.preventDefault();
    };
    window.addEventListener("beforepaste", onBefore);
    window.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("beforepaste", onBefore);
      window.removeEventListener("paste", onPaste);
    };
  }, [actions, backend]);
}
