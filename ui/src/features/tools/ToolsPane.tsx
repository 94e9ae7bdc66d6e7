import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { PaneBoundary } from "../../components/PaneBoundary";
import type { ServerId } from "../../ipc/bindings";
import { useShownTool } from "../../state/hooks";
import styles from "./ToolsPane.module.css";
import { ToolView } from "./ToolView";

export interface ToolsPaneProps {
  readonly server: ServerId;
  /** The list, with this tool selected. */
  readonly list: (selected: string | null) => ReactNode;
  readonly runs: ReactNode;
}

/** The tools of a server, the form of one of them, and beside them the runs. */
export function ToolsPane({ server, list, runs }: ToolsPaneProps) {
  const tool = useShownTool(server);
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useDeferredValue(tool);
  return (
    <div className={styles.columns}>
      <section className={styles.column} aria-label="Tool list">
        <PaneBoundary name="Tool list">{list(tool)}</PaneBoundary>
      </section>
      <section className={styles.column} aria-label="Tool">
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
      <div className={styles.column}>{runs}</div>
    </div>
  );
}
