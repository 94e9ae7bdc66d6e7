import { useDeferredValue, type ReactNode } from "react";

import { Empty } from "../../components/Empty";
import { PaneBoundary } from "../../components/PaneBoundary";
import type { ServerId } from "../../ipc/bindings";
import { useServerUi, useToolList } from "../../state/hooks";
import { ToolList } from "./ToolList";
import styles from "./ToolsPane.module.css";
import { ToolView } from "./ToolView";

/** The tools of a server, the form of one of them, and beside them the runs. */
export function ToolsPane({ server, runs }: { server: ServerId; runs: ReactNode }) {
  const list = useToolList(server);
  const chosen = useServerUi(server, (ui) => ui.tool);
  // The first tool is open to begin with: one thing less to find out.
  const tool = chosen ?? list?.tools[0]?.key ?? null;
  // Arrow keys move through the list at once; the form follows when there is time.
  const shown = useDeferredValue(tool);
  return (
    <div className={styles.columns}>
      <section className={styles.column} aria-label="Tool list">
        <PaneBoundary name="Tool list">
          <ToolList server={server} selected={tool} />
        </PaneBoundary>
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
