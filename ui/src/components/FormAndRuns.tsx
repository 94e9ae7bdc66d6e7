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
  /** Names what the form is of: with another one, a fault in it is over. */
  readonly shown?: string | null;
  readonly runs: ReactNode;
  /** The runs stand below the form, and not beside it. */
  readonly below: boolean;
  /** The one of the two that takes all the room; `null` where both are there. */
  readonly only: "form" | "runs" | null;
}

/** A form and its runs, beside or below each other. */
export function FormAndRuns({ size, label, form, shown, runs, below, only }: FormAndRunsProps): ReactNode {
  return (
    <Split
      // The two places of the runs have a size each.
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
