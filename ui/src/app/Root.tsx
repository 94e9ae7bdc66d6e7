import { Toast } from "@base-ui/react/toast";

import { PaneBoundary } from "../components/PaneBoundary";
import { Tooltip } from "../components/Tooltip";
import type { App } from "../state/app";
import { AppContext, useAppState } from "../state/hooks";
import { MOST_TOASTS, TOAST_TIME } from "../state/toasts";
import { Shell } from "./Shell";
import { ToastList } from "./ToastList";

function Toasts() {
  return <ToastList giving={useAppState(({ view }) => view.giving !== null)} />;
}

export function Root({ app }: { app: App }) {
  return (
    <AppContext value={app}>
      {/* One more than can be undone: what only says something. */}
      <Toast.Provider toastManager={app.toasts.manager} limit={MOST_TOASTS + 1} timeout={TOAST_TIME}>
        <PaneBoundary name="Window">
          <Shell />
        </PaneBoundary>
        <Toasts />
      </Toast.Provider>
      <Tooltip />
    </AppContext>
  );
}
