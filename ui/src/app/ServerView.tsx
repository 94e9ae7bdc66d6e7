import { Activity, Info, Wrench } from "lucide-react";

import { PaneBoundary } from "../components/PaneBoundary";
import { TabPanel, Tabs } from "../components/Tabs";
import { AboutPane } from "../features/about/AboutPane";
import { RunsPane } from "../features/runs/RunsPane";
import { ConnectionView } from "../features/servers/ConnectionView";
import { ToolsPane } from "../features/tools/ToolsPane";
import { WirePane } from "../features/wire/WirePane";
import type { ServerId } from "../ipc/bindings";
import { useActions, useAppState, useServerUi } from "../state/hooks";
import { ServerHeader } from "./ServerHeader";
import styles from "./ServerView.module.css";

/** Everything about one server. */
export function ServerView({ server }: { server: ServerId }) {
  const tab = useServerUi(server, (ui) => ui.tab);
  const toolCount = useAppState((state) => state.live.tools[server]?.tools.length);
  const { selectTab } = useActions();
  return (
    <div className={styles.view}>
      <ServerHeader server={server} />
      <div className={styles.tabs}>
        <Tabs
          label="Views of this server"
          idPrefix="server"
          value={tab}
          onChange={(value) => selectTab(server, value)}
          items={[
            { value: "tools", label: "Tools", count: toolCount, icon: Wrench },
            { value: "wire", label: "Wire", icon: Activity },
            { value: "about", label: "About", icon: Info },
          ]}
        />
      </div>
      <div className={styles.content}>
        <TabPanel idPrefix="server" value="tools" active={tab}>
          <PaneBoundary name="Tools">
            <ConnectionView server={server}>
              <ToolsPane
                server={server}
                runs={
                  <PaneBoundary name="Runs">
                    <RunsPane server={server} />
                  </PaneBoundary>
                }
              />
            </ConnectionView>
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix="server" value="wire" active={tab}>
          <PaneBoundary name="Wire">
            <WirePane server={server} />
          </PaneBoundary>
        </TabPanel>
        <TabPanel idPrefix="server" value="about" active={tab}>
          <PaneBoundary name="About">
            <AboutPane server={server} />
          </PaneBoundary>
        </TabPanel>
      </div>
    </div>
  );
}
