import { CircleAlert, MessageCircleQuestionMark, TriangleAlert } from "lucide-react";
import { useEffect, useMemo } from "react";

import { useHeld } from "../components/later";
import { PaneBoundary } from "../components/PaneBoundary";
import { TabPanel, Tabs, type TabItem } from "../components/Tabs";
import { useHasContent, useStandsAlone } from "../features/servers/ConnectionView";
import { consoleSlice } from "../features/wire/consoleUi";
import type { ServerId } from "../ipc/bindings";
import { useActions, useAppState, useServerRequestsOf, useServerUi, useSession, useSliceValue } from "../state/hooks";
import { isItemTab, shownTab } from "../state/itemTabs";
import { useFetched } from "../state/queries";
import { waitingSignIn } from "../state/signIn";
import { focusMark, focusNames, tabs, type Tab } from "../state/view";
import { SessionServerRequests, SignInBand } from "./parts";
import { ServerHeader } from "./ServerHeader";
import styles from "./ServerView.module.css";
import { partOf, TabPane } from "./TabPane";
import { TABS, tabStatus, type TabStatus } from "./tabs";

const MARKS = { asks: MessageCircleQuestionMark, warning: TriangleAlert, error: CircleAlert };

/** Returns the tabs of a server. */
function useTabs(server: ServerId): readonly TabItem<Tab>[] {
  // As text, so that the value is equal while nothing changes.
  const statuses = useAppState((state) => JSON.stringify(tabs.map((tab) => tabStatus(tab, state, server))));
  return useMemo(
    () =>
      (JSON.parse(statuses) as readonly (TabStatus | null)[]).flatMap((status, place) => {
        const value = tabs[place];
        if (value === undefined || status === null) return [];
        const { label, icon, apart } = TABS[value];
        const { mark } = status;
        return {
          value,
          label,
          icon,
          count: status.count,
          apart,
          mark: mark && { icon: MARKS[mark.kind], label: mark.label, isError: mark.kind === "error" },
        };
      }),
    [statuses],
  );
}

/** The view of one server. */
export function ServerView({ server }: { server: ServerId }) {
  const items = useTabs(server);
  const chosen = useServerUi(server, (ui) => ui.tab);
  // The sign-in tab disappears if the transport is changed to one without sign-in.
  const isThere = isItemTab(chosen) || items.some(({ value }) => value === chosen);
  const tab = useAppState((state) => shownTab(state.live, server, isThere ? chosen : "tools"));
  const alone = useStandsAlone(server);
  const hasContent = useHasContent(server);
  useSeenConsole(server, tab === "console");
  const { selectTab } = useActions();
  // Runs of earlier starts are read when their server is shown, and arrive as events.
  const history = useFetched(server, "", (backend) => backend.call("load_history", { server }));
  const signsIn = useAppState((state) => waitingSignIn(state.live.auth[server]) !== null);
  const isAsked = useServerRequestsOf(server, null).length > 0;
  const shown = useHeld(tab, partOf(tab));
  const idPrefix = `server-${server}`;
  return (
    <div className="fill">
      <ServerHeader server={server} offered={isItemTab(tab) && !hasContent} />
      <div className={styles.tabs} {...focusMark(focusNames.pane("tabs"))}>
        <Tabs
          label="Server views"
          idPrefix={idPrefix}
          value={tab}
          onChange={(value) => selectTab(server, value)}
          items={items}
        />
      </div>
      {/* If the sign-in fills the pane, the card is shown there. */}
      {signsIn && tab !== "sign_in" && !(isItemTab(tab) && alone) && (
        <PaneBoundary name="Sign-in">
          <SignInBand server={server} />
        </PaneBoundary>
      )}
      {isAsked && (
        <PaneBoundary name="Server requests">
          <SessionServerRequests server={server} aboveRows={tab === "wire" || tab === "console"} />
        </PaneBoundary>
      )}
      <div className="fit clips" data-held={shown === tab ? undefined : ""} {...focusMark(focusNames.pane("content"))}>
        <TabPanel key={shown} idPrefix={idPrefix} value={shown} active={shown}>
          <TabPane tab={shown} server={server} history={history} />
        </TabPanel>
      </div>
    </div>
  );
}

/** Marks the lines on stderr as read while the console is shown. */
function useSeenConsole(server: ServerId, isShown: boolean): void {
  const { setSlice } = useActions();
  const generation = useSession(server)?.generation ?? 0;
  const lines = useSession(server)?.stderr_lines ?? 0;
  const seen = useSliceValue(server, consoleSlice, (ui) => ui.seen);
  useEffect(() => {
    if (isShown && (generation !== seen?.generation || lines !== seen.lines)) {
      setSlice(server, consoleSlice, { seen: { generation, lines } });
    }
  }, [server, isShown, generation, lines, seen, setSlice]);
}
