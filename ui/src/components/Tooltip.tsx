import { Tooltip as Base } from "@base-ui/react/tooltip";
import { useState, type ReactElement } from "react";

import styles from "./Tooltip.module.css";

export interface TooltipProps {
  text: string;
  /** One focusable element. Its accessible name must not depend on the tooltip. */
  children: ReactElement;
}

export function Tooltip({ text, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        setOpen(next);
        if (details.reason !== "escape-key") return;
        // Escape is meant for more than a label that happens to be there: it is not used up by closing it.
        details.cancel();
        details.allowPropagation();
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
