import { CircleAlert, MessageCircleQuestionMark, TriangleAlert } from "lucide-react";
import { useEffect, useMemo, type ReactNode } from "react";

import { PaneBoundary } from "../components/PaneBoundary";
import { TabPanel, Tabs, type TabItem } from "../components/Tabs";
import { SignInBand } from "../features/auth/SignInBand";
import { RunsPane, type RunsPaneProps } from "../features/runs/RunsPane";
import { OperationServerRequests } from "../features/serverRequests/OperationServerRequests";
import { SessionServerRequests } from "../features/serverRequests/SessionServerRequests";
import { useHasContent, useStandsAlone } from "../features/servers/ConnectionView";
import { consoleSlice } from "../features/wire/consoleUi";
import type { ServerId } from "../ipc/bindings";
import {
  useActions,
  useAppState,
  useBackend,
  useFetched,
  useServerUi,
  useSession,
  useSliceValue,
} from "../state/hooks";
import { isItemTab, shownTab } from "../state/itemTabs";
import { focusMark, focusNames, tabs, type Tab } from "../state/view";
import { ServerHeader } from "./ServerHeader";
import styles from "./ServerView.module.css";
import { TabPane } from "./TabPane";
import { TABS, tabStatus, type TabStatus } from "./tabs";

const MARKS = { asks: MessageCircleQuestionMark, warning: TriangleAlert, error: CircleAlert };

/** The tabs that a server has. */
function useTabs(server: ServerId): readonly TabItem<Tab>[] {
  // As text, so that it is the same while nothing changes.
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

/** Everything about one server. */
export function ServerView({ server }: { server: ServerId }) {
  const items = useTabs(server);
  const chosen = useServerUi(server, (ui) => ui.tab);
  // The way to a server can be changed to one that knows no sign-in.
  const isThere = isItemTab(chosen) || items.some(({ value }) => value === chosen);
  const tab = useAppState((state) => shownTab(state.live, server, isThere ? chosen : "tools"));
  const alone = useStandsAlone(server);
  const hasContent = useHasContent(server);
  useSeenConsole(server, tab === "console");
  const { selectTab } = useActions();
  const backend = useBackend();
  // Those of before this start are read when their server is shown, and told as events.
  const history = useFetched(server, "", () => backend.call("load_history", { server }));
  const runs = (about: RunsPaneProps["about"]): ReactNode => (
    <PaneBoundary name="Runs">
      <RunsPane
        server={server}
        about={about}
        history={history}
        serverRequests={(operation, selected) => (
          <OperationServerRequests server={server} operation={operation} answered={selected} />
        )}
      />
    </PaneBoundary>
  );
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
      {/* Where the whole place is for the sign-in, the card is there. */}
      {tab !== "sign_in" && !(isItemTab(tab) && alone) && (
        <PaneBoundary name="Sign-in">
          <SignInBand server={server} />
        </PaneBoundary>
      )}
      <PaneBoundary name="Server requests">
        <SessionServerRequests server={server} aboveRows={tab === "wire" || tab === "console"} />
      </PaneBoundary>
      <div className="fit clips" {...focusMark(focusNames.pane("content"))}>
        <TabPanel key={tab} idPrefix={idPrefix} value={tab} active={tab}>
          <TabPane tab={tab} server={server} runs={runs} />
        </TabPanel>
      </div>
    </div>
  );
}

/** Takes the lines on stderr for read while the console is shown. */
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
