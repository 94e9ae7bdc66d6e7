import { Toast } from "@base-ui/react/toast";

import { Tooltip } from "../components/Tooltip";
import { useApp, useAppState } from "../state/hooks";
import { MOST_TOASTS, TOAST_TIME } from "../state/toasts";
import { DroppedServers } from "./DroppedServers";
import { OpenLinkDialog } from "./OpenLinkDialog";
import { Palette } from "./palette/Palette";
import { ShortcutsDialog } from "./ShortcutsDialog";
import { SubjectMenu } from "./SubjectMenu";
import { ToastList } from "./ToastList";
import { usePastedServers } from "./usePastedServers";
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
