import { Tooltip } from "@base-ui/react/tooltip";

import { PaneBoundary } from "../components/PaneBoundary";
import type { App } from "../state/app";
import { AppContext } from "../state/hooks";
import { Shell } from "./Shell";

export function Root({ app }: { app: App }) {
  return (
    <AppContext value={app}>
      <Tooltip.Provider delay={500}>
        <PaneBoundary name="Window">
          <Shell />
        </PaneBoundary>
      </Tooltip.Provider>
    </AppContext>
  );
}
