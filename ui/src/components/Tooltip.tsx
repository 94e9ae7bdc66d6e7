import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

import styles from "./Tooltip.module.css";

export interface TooltipProps {
  text: string;
  /** One focusable element. Its accessible name must not depend on the tooltip. */
  children: ReactElement;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
