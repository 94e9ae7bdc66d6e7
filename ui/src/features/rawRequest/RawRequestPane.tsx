import type { ReactNode } from "react";

import { PaneBoundary } from "../../components/PaneBoundary";
import { Split } from "../../components/Split";
import type { ServerId } from "../../ipc/bindings";
import { useIsSmall } from "../../lib/useMedia";
import { useAppState, useServerUi } from "../../state/hooks";
import { focusMark, focusNames } from "../../state/view";
import { RawRequestForm } from "./RawRequestForm";
import styles from "./rawRequest.module.css";

export interface RawRequestPaneProps {
  readonly server: ServerId;
  readonly runs: ReactNode;
}

/** A request or notification that is written by hand, and the runs beside or below it. */
export function RawRequestPane({ server, runs }: RawRequestPaneProps): ReactNode {
  const small = useIsSmall();
  const below = useAppState((state) => state.live.settings.runs_below) || small;
  const maximized = useServerUi(server, (ui) => ui.maximized);
  return (
    <Split
      key={below ? "below" : "beside"}
      name={below ? "raw_runs_below" : "raw_runs"}
      label="runs"
      sized="second"
      orientation={below ? "vertical" : "horizontal"}
      unit="%"
      standard={below ? 45 : 48}
      least={below ? 140 : 240}
      leastRest={below ? 160 : 260}
      only={maximized === "runs" || maximized === "run" ? "second" : null}
      first={
        <section className={styles.pane} aria-label="Raw request" {...focusMark(focusNames.pane("form"))}>
          <PaneBoundary name="Raw request">
            <RawRequestForm key={server} server={server} />
          </PaneBoundary>
        </section>
      }
      second={
        <div className={styles.pane} {...focusMark(focusNames.pane("runs"))}>
          {runs}
        </div>
      }
    />
  );
}
