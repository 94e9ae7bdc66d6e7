import type { ReactNode } from "react";

import { later, type Code, type Later } from "../components/later";
import { PaneBoundary } from "../components/PaneBoundary";
import { ConnectionView } from "../features/servers/ConnectionView";
import { isItemTab, type ItemTab as Kind } from "../state/itemTabs";
import type { Tab } from "../state/view";
import { SignInProgress } from "./parts";
import { TABS, type PaneProps } from "./tabs";

export const ItemTab = later(async () => (await import("./ItemTab")).ItemTab);

/** Content of the tabs that exist without a connection. */
const PANES: Readonly<Record<Exclude<Tab, Kind>, Later<PaneProps>>> = {
  tasks: later(async () => (await import("../features/tasks/TasksPane")).TasksPane),
  issues: later(async () => (await import("../features/issues/IssuesPane")).IssuesPane),
  checks: later(async () => (await import("../features/checks/ChecksPane")).ChecksPane),
  hosts: later(async () => (await import("../features/hosts/HostsPane")).HostsPane),
  wire: later(async () => (await import("../features/wire/WirePane")).WirePane),
  console: later(async () => (await import("../features/wire/ConsolePane")).ConsolePane),
  request: later(async () => (await import("./RequestTab")).RequestTab),
  connection: later(async () => (await import("../features/connection/ConnectionPane")).ConnectionPane),
  about: later(async () => (await import("../features/about/AboutPane")).AboutPane),
  sign_in: later(async () => (await import("../features/auth/AuthPane")).AuthPane),
};

/** Returns the code of a tab's content. */
export function partOf(tab: Tab): Code {
  return isItemTab(tab) ? ItemTab : PANES[tab];
}

/** Content of a tab. Items belong to a connection, whose state is shown in their place before there are any. */
export function TabPane({ tab, ...props }: PaneProps & { readonly tab: Tab }): ReactNode {
  return <PaneBoundary name={TABS[tab].label}>{contentOf(tab, props)}</PaneBoundary>;
}

function contentOf(tab: Tab, props: PaneProps): ReactNode {
  if (isItemTab(tab)) {
    return (
      <ConnectionView server={props.server} signIn={<SignInProgress server={props.server} />}>
        <ItemTab kind={tab} {...props} />
      </ConnectionView>
    );
  }
  const Pane = PANES[tab];
  // The state belongs to one server.
  return <Pane key={props.server} {...props} />;
}
