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

/** Code of the panels. */
const PARTS: Readonly<Record<Panel["type"], Code>> = {
  add_server: ServerForm,
  edit_server: ServerForm,
  import: ImportPanel,
  export: ExportPanel,
  diagnosis: DiagnosisPanel,
  confirm_command: ConfirmCommand,
  compare: ComparePanel,
  keep_check: KeepCheckPanel,
  compare_check: CompareCheckPanel,
  compare_lists: CompareListsPanel,
  presentations: PresentationsPanel,
  presentation: PresentationEditor,
  settings: SettingsPanel,
  help: HelpPanel,
};

/** Shows the open panel, or else the selected server. */
export function MainArea() {
  const wanted = useAppState((state) => state.view.panel);
  const panel = useHeld(wanted, wanted === null ? undefined : PARTS[wanted.type]);
  return (
    <div className="tall clips" data-held={panel === wanted ? undefined : ""}>
      <Shown panel={panel} />
    </div>
  );
}

function Shown({ panel }: { readonly panel: Panel | null }) {
  const server = useSelectedServer();
  const known = useAppState((state) => server !== null && server in state.live.servers);
  switch (panel?.type) {
    case "add_server":
      return <ServerForm key="new" server={null} />;
    case "edit_server":
      return <ServerForm key={panel.server} server={panel.server} />;
    case "import":
      return <ImportPanel key={panel.text} text={panel.text} given={panel.given ?? false} />;
    case "export":
      return <ExportPanel key={panel.server} server={panel.server} />;
    case "diagnosis":
      return <DiagnosisPanel key={panel.server} server={panel.server} />;
    case "confirm_command":
      return <ConfirmCommand key={panel.server} server={panel.server} more={panel.then?.length ?? 0} />;
    case "compare":
      return (
        <ComparePanel
          first={panel.first}
          second={panel.second}
          maximized={panel.maximized ?? false}
          before={panel.before}
        />
      );
    case "keep_check":
      return <KeepCheckPanel key={panel.operation} operation={panel.operation} />;
    case "compare_check":
      return <CompareCheckPanel server={panel.server} place={panel.check} maximized={panel.maximized ?? false} />;
    case "compare_lists":
      return <CompareListsPanel left={panel.left} right={panel.right} />;
    case "presentations":
      return <PresentationsPanel adding={panel.adding} />;
    case "presentation":
      return (
        <PresentationEditor key={panel.presentation} presentation={panel.presentation} isNew={panel.isNew ?? false} />
      );
    case "settings":
      return <SettingsPanel at={panel.at} />;
    case "help":
      return <HelpPanel page={panel.page} at={panel.at} />;
    case undefined:
      if (server === null) return <NoServers />;
      if (!known) {
        return (
          <Empty title="One moment">
            <Spinner label="Adding the server…" />
          </Empty>
        );
      }
      return <Sides server={server} />;
  }
}
