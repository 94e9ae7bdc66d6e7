import {
  Activity,
  Cable,
  Info,
  KeyRound,
  MessageCircleQuestionMark,
  Send,
  SquareTerminal,
  TriangleAlert,
  Wrench,
} from "lucide-react";

import { PaneBoundary } from "../components/PaneBoundary";
import { TabPanel, Tabs } from "../components/Tabs";
import { SignInBand } from "../features/auth/SignInBand";
import { SignInProgress } from "../features/auth/SignInProgress";
import { hasSignIn } from "../features/auth/words";
import { CatalogList } from "../features/catalog/CatalogList";
import { OperationServerRequests } from "../features/serverRequests/OperationServerRequests";
import { SessionServerRequests } from "../features/serverRequests/SessionServerRequests";
import { RunsPane } from "../features/runs/RunsPane";
import { ConnectionView, useStandsAlone } from "../features/servers/ConnectionView";
import { ToolsPane } from "../features/tools/ToolsPane";
import type { ServerId } from "../ipc/bindings";
import { count } from "../lib/format";
import {
  useActions,
  useBackend,
  useFetched,
  useAppState,
  useAuth,
  useHealth,
  useServer,
  useServerUi,
} from "../state/hooks";
import { focusMark, focusNames } from "../state/view";
import { ServerHeader } from "./ServerHeader";
import styles from "./ServerView.module.css";
import { AboutPane, AuthPane, ConnectionPane, ConsolePane, RawRequestPane, WirePane } from "./parts";

/** Everything about one server. */
export function ServerView({ server }: { server: ServerId }) {
  const auth = useAuth(server);
  const signsIn = hasSignIn(useServer(server), auth);
  const chosen = useServerUi(server, (ui) => ui.tab);
  // The way to a server can be changed to one that knows no sign-in.
  const tab = chosen === "sign_in" && !signsIn ? "tools" : chosen;
  const alone = useStandsAlone(server);
  const toolCount = useAppState((state) => state.live.catalogs[server]?.tools?.count);
  const asked = useAppState((state) =>
    (state.live.serverRequestOrder[server] ?? []).some(
      (request) => (state.live.serverRequests[request]?.operation ?? null) !== null,
    ),
  );
  const health = useHealth(server);
  const issues = useAppState((state) => state.live.catalogs[server]?.tools?.issues ?? 0);
  const { selectTab, selectTool, focusForm } = useActions();
  const backend = useBackend();
  // Those of before this start are read when their server is shown, and told as events.
  const history = useFetched(server, "", () => backend.call("load_history", { server }));
  const runs = (
    <PaneBoundary name="Runs">
      <RunsPane
        server={server}
        history={history}
        serverRequests={(operation, selected) => (
          <OperationServerRequests server={server} operation={operation} answered={selected} />
        )}
      />
    </PaneBoundary>
  );
  return (
    <div className="fill">
      <ServerHeader server={server} />
      <div className={styles.tabs} {...focusMark(focusNames.pane("tabs"))}>
        <Tabs
          label="Server views"
          idPrefix={`server-${server}`}
          value={tab}
          onChange={(value) => selectTab(server, value)}
          items={[
            {
              value: "tools",
              label: "Tools",
              count: toolCount,
              icon: Wrench,
              mark: asked
                ? { icon: MessageCircleQuestionMark, label: "a run needs input" }
                : issues > 0
                  ? { icon: TriangleAlert, label: count(issues, "issue", "issues") }
                  : undefined,
            },
            { value: "wire", label: "Wire log", icon: Activity },
            { value: "console", label: "Console", icon: SquareTerminal },
            { value: "request", label: "Raw request", icon: Send },
            {
              value: "connection",
              label: "Connection",
              icon: Cable,
              mark: health ? { icon: TriangleAlert, label: health.level } : undefined,
            },
            { value: "about", label: "About", icon: Info },
            ...(signsIn
              ? [
                  {
                    value: "sign_in" as const,
                    label: "Authentication",
                    icon: KeyRound,
                    mark: auth?.problem ? { icon: TriangleAlert, label: "has a problem" } : undefined,
                  },
                ]
              : []),
          ]}
        />
      </div>
      {/* Where the whole place is for the sign-in, the card is there. */}
      {tab !== "sign_in" && !(tab === "tools" && alone) && (
        <PaneBoundary name="Sign-in">
          <SignInBand server={server} />
        </PaneBoundary>
      )}
      <PaneBoundary name="Server requests">
        <SessionServerRequests server={server} />
      </PaneBoundary>
      <div className={styles.content} {...focusMark(focusNames.pane("content"))}>
        <TabPanel idPrefix={`server-${server}`} value="tools" active={tab}>
          <PaneBoundary name="Tools">
            <ConnectionView server={server} signIn={<SignInProgress server={server} />}>
              <ToolsPane
                server={server}
                list={(selected) => (
                  <CatalogList
                    server={server}
                    kind="tools"
                    selected={selected}
                    onSelect={(key) => selectTool(server, key)}
                    onActivate={(key) => focusForm(server, key)}
                  />
                )}
                runs={runs}
              />
            </ConnectionView>
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="wire" active={tab}>
          <PaneBoundary name="Wire log">
            <WirePane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="console" active={tab}>
          <PaneBoundary name="Console">
            <ConsolePane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="request" active={tab}>
          <PaneBoundary name="Raw request">
            <RawRequestPane server={server} runs={runs} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix={`server-${server}`} value="connection" active={tab}>
          <PaneBoundary name="Connection">
            <ConnectionPane server={server} />
          </PaneBoundary>
        </TabPanel>
        {signsIn && (
          <TabPanel idPrefix={`server-${server}`} value="sign_in" active={tab}>
            <PaneBoundary name="Authentication">
              <AuthPane server={server} />
            </PaneBoundary>
          </TabPanel>
        )}
        <TabPanel idPrefix={`server-${server}`} value="about" active={tab}>
          <PaneBoundary name="About">
            <AboutPane server={server} />
          </PaneBoundary>
        </TabPanel>
      </div>
    </div>
  );
}
