import { Button } from "../components/Button";
import { Callout } from "../components/Callout";
import { Empty } from "../components/Empty";
import { PaneBoundary } from "../components/PaneBoundary";
import { Spinner } from "../components/Spinner";
import { Split } from "../components/Split";
import { ServerList } from "../features/servers/ServerList";
import { useMedia } from "../lib/useMedia";
import { useAppState, useSelectedServer } from "../state/hooks";
import { focusMark, focusNames } from "../state/view";
import { MainArea } from "./MainArea";
import { NoticesBar } from "./NoticesBar";
import { OfferedLink } from "./OfferedLink";
import styles from "./Shell.module.css";
import { useFocus } from "./focus";
import { useAhead } from "./ahead";
import { Given, Overlays } from "./parts";
import { usePainted } from "./usePainted";
import { useTheme } from "./useTheme";
import { useTitle } from "./useTitle";

/** The window: servers on the left, the selected one or a panel on the right. */
export function Shell() {
  const ready = useAppState((state) => state.live.ready);
  const channelError = useAppState((state) => state.channelError);
  const server = useSelectedServer();
  const maximized = useAppState(
    ({ view }) =>
      ((view.panel?.type === "compare" || view.panel?.type === "compare_check") && view.panel.maximized === true) ||
      (view.panel === null && view.server !== null && (view.perServer[view.server]?.maximized ?? null) !== null),
  );
  const giving = useAppState(({ view }) => view.giving !== null);
  const narrow = useMedia("(width < 1100px)");
  useTheme();
  useTitle();
  useFocus();
  const isPainted = usePainted(ready);
  useAhead(isPainted && server !== null);

  if (!ready) {
    return (
      <main className="tall">
        {channelError ? (
          <div className={styles.fault}>
            <Callout
              level="error"
              role="alert"
              title="The window cannot reach the Sonde backend."
              actions={<Button onClick={() => location.reload()}>Try again</Button>}
            >
              <p>{channelError.message}</p>
              {channelError.detail !== undefined && (
                <pre className="scrolls asWritten marginTop8">{channelError.detail}</pre>
              )}
            </Callout>
          </div>
        ) : (
          <Empty title="Starting">
            <Spinner label="Loading your servers…" />
          </Empty>
        )}
      </main>
    );
  }
  return (
    <>
      {giving ? (
        <PaneBoundary name="Presentation">
          <Given />
        </PaneBoundary>
      ) : (
        <div className="tall">
          <Split
            name={narrow ? "servers_narrow" : "servers"}
            label="servers"
            sized="first"
            unit="px"
            standard={narrow ? 0 : 220}
            least={160}
            leastRest={480}
            rail={56}
            only={maximized ? "second" : null}
            first={
              <nav
                className="tall shrink flat clipped onSide sized"
                aria-label="Servers"
                {...focusMark(focusNames.pane("servers"))}
              >
                <PaneBoundary name="Servers">
                  <ServerList />
                </PaneBoundary>
              </nav>
            }
            second={
              <main className="fill shrink flat clips">
                <NoticesBar />
                <OfferedLink />
                <div className="fit clips">
                  <PaneBoundary name="Main area" resetKey={server}>
                    <MainArea />
                  </PaneBoundary>
                </div>
              </main>
            }
          />
        </div>
      )}
      {isPainted && <Overlays />}
    </>
  );
}
