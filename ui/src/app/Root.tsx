import { PaneBoundary } from "../components/PaneBoundary";
import type { App } from "../state/app";
import { AppContext } from "../state/hooks";
import { Shell } from "./Shell";

export function Root({ app }: { app: App }) {
  return (
    <AppContext value={app}>
      <PaneBoundary name="Window">
        <Shell />
      </PaneBoundary>
    </AppContext>
  );
}
