import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import { Prose } from "./Prose";

export interface Labels {
  readonly label: string;
  /** Shows the label to assistive technology only. */
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface LabelledProps extends Labels {
  /** The control's id. */
  readonly id: string;
  readonly className?: string | undefined;
  /** Renders the control, with the id of its description. */
  readonly children: (describedBy: string | undefined) => ReactNode;
}

/** A control with its label above, and its hint or error below. */
export function Labelled({ id, label, hideLabel = false, hint, error, className, children }: LabelledProps): ReactNode {
  const described = error !== undefined || hint !== undefined;
  return (
    <div className={cx("stack gap4 shrink", className)}>
      <label id={`${id}-label`} htmlFor={id} className={hideLabel ? "visuallyHidden" : "medium"}>
        {label}
      </label>
      {children(described ? `${id}-note` : undefined)}
      {described && (
        <p id={`${id}-note`} className={error !== undefined ? "bad small" : "note"}>
          {error === undefined ? hint : <Prose text={error} />}
        </p>
      )}
    </div>
  );
}
