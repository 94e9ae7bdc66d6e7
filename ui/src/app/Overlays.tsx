import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";

import { Tooltip } from "../components/Tooltip";
import { looksLikeServers } from "../features/servers/pasted";
import { isTyping } from "../lib/shortcuts";
import { isReadable } from "../lib/textFile";
import { useActions, useApp, useAppState, useBackend } from "../state/hooks";
import { MOST_TOASTS, TOAST_TIME } from "../state/toasts";
import { DroppedServers } from "./DroppedServers";
import { OpenLinkDialog } from "./OpenLinkDialog";
import { Palette } from "./palette/Palette";
import { ShortcutsDialog } from "./ShortcutsDialog";
import { SubjectMenu } from "./SubjectMenu";
import { ToastList } from "./ToastList";
import { useShortcuts } from "./useShortcuts";

/** Keys, menus, dialogs and toasts of the whole window. None of them is open before the first paint. */
export function Overlays() {
  const { toasts } = useApp();
  const giving = useAppState(({ view }) => view.giving !== null);
  useShortcuts();
  usePastedServers();
  return (
    <>
      {/* One more than can be undone, for a toast that only informs. */}
      <Toast.Provider toastManager={toasts.manager} limit={MOST_TOASTS + 1} timeout={TOAST_TIME}>
        <ToastList giving={giving} />
      </Toast.Provider>
      {!giving && (
        <>
          <SubjectMenu />
          <Palette />
          <ShortcutsDialog />
          <DroppedServers />
        </>
      )}
      <OpenLinkDialog />
      <Tooltip />
    </>
  );
}

/**
 * Opens the import with servers that are pasted outside of a field: a URL, a command line, or the configuration of
 * another client. Other texts are ignored.
 */
function usePastedServers(): void {
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
