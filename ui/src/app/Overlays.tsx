import { Toast } from "@base-ui/react/toast";

import { PaneBoundary } from "../components/PaneBoundary";
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

/** Listeners and layers of the whole window. They come after the first paint, as nothing is open before. */
export function Overlays() {
  const { toasts } = useApp();
  const giving = useAppState(({ view }) => view.giving !== null);
  useShortcuts();
  usePastedServers();
  return (
    <>
      {/* One more than can be undone: what only says something. */}
      <Toast.Provider toastManager={toasts.manager} limit={MOST_TOASTS + 1} timeout={TOAST_TIME}>
        <ToastList giving={giving} />
      </Toast.Provider>
      <PaneBoundary name="Window">
        {!giving && (
          <>
            <SubjectMenu />
            <Palette />
            <ShortcutsDialog />
            <DroppedServers />
          </>
        )}
        <OpenLinkDialog />
      </PaneBoundary>
      <Tooltip />
    </>
  );
}
