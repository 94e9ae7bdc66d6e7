import { type ReactNode } from "react";

import { Empty } from "../components/Empty";
import { useHeld, type Code } from "../components/later";
import { Spinner } from "../components/Spinner";
import { NoServers } from "../features/servers/NoServers";
import { useAppState, useSelectedServer } from "../state/hooks";
import type { Panel } from "../state/view";
import {
  CompareCheckPanel,
  CompareListsPanel,
  ComparePanel,
  ConfirmCommand,
  DiagnosisPanel,
  ExportPanel,
  HelpPanel,
  ImportPanel,
  KeepCheckPanel,
  PresentationEditor,
  PresentationsPanel,
  ServerForm,
  SettingsPanel,
} from "./parts";
import { Sides } from "./Sides";

type PanelOf<T extends Panel["type"]> = Extract<Panel, { type: T }>;

/** Code and content of each panel. */
const PANELS: { readonly [T in Panel["type"]]: readonly [code: Code, show: (panel: PanelOf<T>) => ReactNode] } = {
  add_server: [ServerForm, () => <ServerForm key="new" server={null} />],
  edit_server: [ServerForm, ({ server }) => <ServerForm key={server} server={server} />],
  import: [ImportPanel, ({ text, given = false }) => <ImportPanel key={text} text={text} given={given} />],
  export: [ExportPanel, ({ server }) => <ExportPanel key={server} server={server} />],
  diagnosis: [DiagnosisPanel, ({ server }) => <DiagnosisPanel key={server} server={server} />],
  confirm_command: [ConfirmCommand, ({ server }) => <ConfirmCommand key={server} server={server} />],
  compare: [
    ComparePanel,
    ({ first, second, maximized = false, before }) => (
      <ComparePanel first={first} second={second} maximized={maximized} before={before} />
    ),
  ],
  keep_check: [KeepCheckPanel, ({ operation }) => <KeepCheckPanel key={operation} operation={operation} />],
  compare_check: [
    CompareCheckPanel,
    ({ server, check, maximized = false }) => <CompareCheckPanel server={server} place={check} maximized={maximized} />,
  ],
  compare_lists: [CompareListsPanel, ({ left, right }) => <CompareListsPanel left={left} right={right} />],
  presentations: [PresentationsPanel, ({ adding }) => <PresentationsPanel adding={adding} />],
  presentation: [
    PresentationEditor,
    ({ presentation, isNew = false }) => (
      <PresentationEditor key={presentation} presentation={presentation} isNew={isNew} />
    ),
  ],
  settings: [SettingsPanel, ({ at }) => <SettingsPanel at={at} />],
  help: [HelpPanel, ({ page, at }) => <HelpPanel page={page} at={at} />],
};

/** Shows the open panel, or else the selected server. */
export function MainArea() {
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
  return (
    <Empty title="One moment">
      <Spinner label="Adding the server…" />
    </Empty>
  );
}
