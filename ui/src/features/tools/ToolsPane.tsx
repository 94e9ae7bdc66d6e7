import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { PaneBoundary } from "../../components/PaneBoundary";
import { Split } from "../../components/Split";
import type { ServerId } from "../../ipc/bindings";
import { useAppState, useServerUi, useShownTool } from "../../state/hooks";
import styles from "./ToolsPane.module.css";
import { ToolView } from "./ToolView";

export interface ToolsPaneProps {
  readonly server: ServerId;
  /** The list, with this tool selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

/** The tools of a server, the form of one of them, and the runs beside or below it. */
export function ToolsPane({ server, list, runs }: ToolsPaneProps) {
  const tool = useShownTool(server);
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useDeferredValue(tool);
  const below = useAppState((state) => state.live.settings.runs_below);
  const maximized = useServerUi(server, (ui) => ui.maximized);
  const form = (
    <section className={styles.pane} aria-label="Tool">
      <PaneBoundary name="Tool" resetKey={shown}>
        {shown === null ? (
          <Empty title="No tool selected">
            <p>Select a tool to see its form.</p>
          </Empty>
        ) : (
          <ToolView key={`${server} ${shown}`} server={server} tool={shown} />
        )}
      </PaneBoundary>
    </section>
  );
  return (
    <Split
      name="tools"
      label="tool list"
      sized="first"
      unit="%"
      standard={24}
      least={180}
      leastRest={420}
      only={maximized === null ? null : maximized === "list" ? "first" : "second"}
      first={
        <section className={styles.pane} aria-label="Tool list">
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
          only={maximized === null || maximized === "list" ? null : maximized === "form" ? "first" : "second"}
          first={form}
          second={<div className={styles.pane}>{runs}</div>}
        />
      }
    />
  );
}
