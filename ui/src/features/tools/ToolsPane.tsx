import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { PaneBoundary } from "../../components/PaneBoundary";
import { Segmented } from "../../components/Segmented";
import { Split } from "../../components/Split";
import type { ServerId } from "../../ipc/bindings";
import { useIsSmall } from "../../lib/useMedia";
import { useActions, useAppState, useCatalog, useServerUi, useShownTool } from "../../state/hooks";
import { focusMark, focusNames } from "../../state/view";
import styles from "./ToolsPane.module.css";
import { ToolView } from "./ToolView";

export interface ToolsPaneProps {
  readonly server: ServerId;
  /** The list, with this tool selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

/**
 * The tools of a server, the form of one of them, and the runs beside or below it; one of these at a time
 * where there is no room for all.
 */
export function ToolsPane({ server, list, runs }: ToolsPaneProps) {
  const tool = useShownTool(server);
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useDeferredValue(tool);
  const listed = (useCatalog(server, "tools")?.revision ?? 0) > 0;
  const below = useAppState((state) => state.live.settings.runs_below);
  const maximized = useServerUi(server, (ui) => ui.maximized);
  const part = useServerUi(server, (ui) => ui.part);
  const { showPart } = useActions();
  const small = useIsSmall();
  const alone = maximized ?? (small ? part : null);
  const form = (
    <section className={styles.pane} aria-label="Tool" {...focusMark(focusNames.pane("form"))}>
      <PaneBoundary name="Tool" resetKey={shown}>
        {shown === null ? (
          <Empty title="No tool selected">
            <p>Select a tool to see its form.</p>
          </Empty>
        ) : !listed ? (
          <Empty title="No tools listed yet">
            <p>The form of “{shown}” appears once the server has listed its tools.</p>
          </Empty>
        ) : (
          <ToolView key={`${server} ${shown}`} server={server} tool={shown} />
        )}
      </PaneBoundary>
    </section>
  );
  const panes = (
    <Split
      name="tools"
      label="tool list"
      sized="first"
      unit="%"
      standard={24}
      least={180}
      leastRest={420}
      only={alone === null ? null : alone === "list" ? "first" : "second"}
      first={
        <section className={styles.pane} aria-label="Tool list" {...focusMark(focusNames.pane("list"))}>
          <PaneBoundary name="Tool list">{list(tool)}</PaneBoundary>
        </section>
      }
      second={
        <Split
          // The two places of the runs have a size each.
          key={below ? "below" : "beside"}
          name={below ? "runs_below" : "runs"}
          label="runs"
          sized="second"
          orientation={below ? "vertical" : "horizontal"}
          unit="%"
          standard={below ? 45 : 48}
          least={below ? 140 : 240}
          leastRest={below ? 160 : 260}
          only={alone === null || alone === "list" ? null : alone === "form" ? "first" : "second"}
          first={form}
          second={
            <div className={styles.pane} {...focusMark(focusNames.pane("runs"))}>
              {runs}
            </div>
          }
        />
      }
    />
  );
  return (
    <div className="fill">
      {small && maximized === null && (
        <div className={styles.parts}>
          <Segmented
            label="Pane"
            value={part}
            onChange={(next) => showPart(server, next)}
            items={[
              { value: "list", label: "Tool list" },
              { value: "form", label: "Form" },
              { value: "runs", label: "Runs" },
            ]}
          />
        </div>
      )}
      <div className="fit">{panes}</div>
    </div>
  );
}
