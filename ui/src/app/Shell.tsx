import type { ReactNode } from "react";

import { Button } from "../components/Button";
import { Callout } from "../components/Callout";
import { Empty } from "../components/Empty";
import { useHeld, type Code } from "../components/later";
import { PaneBoundary } from "../components/PaneBoundary";
import { Split } from "../components/Split";
import { NoServers } from "../features/servers/NoServers";
import { ServerList } from "../features/servers/ServerList";
import { useMedia } from "../lib/useMedia";
import { useAppState, useSelectedServer } from "../state/hooks";
import { focusMark, focusNames, type Panel } from "../state/view";
import { useAhead } from "./ahead";
import { useFocus } from "./focus";
import { NoticesBar } from "./NoticesBar";
import { OfferedLink } from "./OfferedLink";
import * as parts from "./parts";
import styles from "./Shell.module.css";
import { Sides } from "./Sides";
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
          <Empty title="Starting" waits="Loading your servers…" />
        )}
      </main>
    );
  }
  return (
    <>
      {giving ? (
        <PaneBoundary name="Presentation">
          <parts.Given />
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
      {isPainted && <parts.Overlays />}
    </>
  );
}

type PanelOf<T extends Panel["type"]> = Extract<Panel, { type: T }>;

/** Code and content of each panel. */
const PANELS: { readonly [T in Panel["type"]]: readonly [code: Code, show: (panel: PanelOf<T>) => ReactNode] } = {
  add_server: [parts.ServerForm, () => <parts.ServerForm key="new" server={null} />],
  edit_server: [parts.ServerForm, ({ server }) => <parts.ServerForm key={server} server={server} />],
  import: [parts.ImportPanel, ({ text, given = false }) => <parts.ImportPanel key={text} text={text} given={given} />],
  export: [parts.ExportPanel, ({ server }) => <parts.ExportPanel key={server} server={server} />],
  diagnosis: [parts.DiagnosisPanel, ({ server }) => <parts.DiagnosisPanel key={server} server={server} />],
  confirm_command: [parts.ConfirmCommand, ({ server }) => <parts.ConfirmCommand key={server} server={server} />],
  compare: [
    parts.ComparePanel,
    ({ first, second, maximized = false, before }) => (
      <parts.ComparePanel first={first} second={second} maximized={maximized} before={before} />
    ),
  ],
  keep_check: [parts.KeepCheckPanel, ({ operation }) => <parts.KeepCheckPanel key={operation} operation={operation} />],
  compare_check: [
    parts.CompareCheckPanel,
    ({ server, check, maximized = false }) => (
      <parts.CompareCheckPanel server={server} place={check} maximized={maximized} />
    ),
  ],
  compare_lists: [parts.CompareListsPanel, ({ left, right }) => <parts.CompareListsPanel left={left} right={right} />],
  presentations: [parts.PresentationsPanel, ({ adding }) => <parts.PresentationsPanel adding={adding} />],
  presentation: [
    parts.PresentationEditor,
    ({ presentation, isNew = false }) => (
      <parts.PresentationEditor key={presentation} presentation={presentation} isNew={isNew} />
    ),
  ],
  settings: [parts.SettingsPanel, ({ at }) => <parts.SettingsPanel at={at} />],
  help: [parts.HelpPanel, ({ page, at }) => <parts.HelpPanel page={page} at={at} />],
};

/** Shows the open panel, or else the selected server. */
function MainArea() {
  const wanted = useAppState((state) => state.view.panel);
  const panel = useHeld(wanted, wanted === null ? undefined : PANELS[wanted.type][0]);
  return (
    <div className="tall clips" data-held={panel === wanted ? undefined : ""}>
      <Shown panel={panel} />
    </div>
  );
}

function Shown({ panel }: { readonly panel: Panel | null }) {
  const server = useSelectedServer();
  const known = useAppState((state) => server !== null && server in state.live.servers);
  if (panel) return (PANELS[panel.type][1] as (shown: Panel) => ReactNode)(panel);
  if (server === null) return <NoServers />;
  if (known) return <Sides server={server} />;
  return <Empty title="One moment" waits="Adding the server…" />;
}
