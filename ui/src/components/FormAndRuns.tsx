import type { ReactNode } from "react";

import { focusMark, focusNames } from "../state/view";
import { PaneBoundary } from "./PaneBoundary";
import { Split } from "./Split";

export interface FormAndRunsProps {
  /** Setting that stores the size of the runs. */
  readonly size: "runs" | "raw_runs";
  /** Name of the form's pane. */
  readonly label: string;
  readonly form: ReactNode;
  /** Identifies the subject of the form: a crash in it is forgotten when the subject changes. */
  readonly shown?: string | null;
  readonly runs: ReactNode;
  /** Places the runs below the form instead of beside it. */
  readonly below: boolean;
  /** The part that takes all the room; `null` shows both. */
  readonly only: "form" | "runs" | null;
}

/** A form and its runs, side by side or stacked. */
export function FormAndRuns({ size, label, form, shown, runs, below, only }: FormAndRunsProps): ReactNode {
  return (
    <Split
      // Each of the two layouts has its own stored size.
      key={below ? "below" : "beside"}
      name={below ? `${size}_below` : size}
      label="runs"
      sized="second"
      orientation={below ? "vertical" : "horizontal"}
      unit="%"
      standard={below ? 45 : 48}
      least={below ? 140 : 240}
      leastRest={below ? 160 : 260}
      only={only === null ? null : only === "form" ? "first" : "second"}
      first={
        <section className="fill shrink clipped" aria-label={label} {...focusMark(focusNames.pane("form"))}>
          <PaneBoundary name={label} resetKey={shown ?? null}>
            {form}
          </PaneBoundary>
        </section>
      }
      second={
        <div className="fill shrink clipped" {...focusMark(focusNames.pane("runs"))}>
          {runs}
        </div>
      }
    />
  );
}
