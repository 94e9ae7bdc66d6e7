import { useEffect } from "react";

import { looksLikeServers } from "../features/servers/pasted";
import { isTyping } from "../lib/shortcuts";
import { isReadable } from "../lib/textFile";
import { useActions, useBackend } from "../state/hooks";

/**
 * Opens the import with servers that are pasted outside of a field: a URL, a command line, or the configuration of
 * another client. Other texts are ignored.
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
    // WebKit reports a paste outside of a field only if this event is handled.
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
