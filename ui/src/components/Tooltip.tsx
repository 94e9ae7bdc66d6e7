import { Tooltip as Base } from "@base-ui/react/tooltip";
import { useEffect, useState, type ReactElement } from "react";

import styles from "./Tooltip.module.css";

export interface TooltipProps {
  text: string;
  /** One focusable element. Its accessible name must not depend on the tooltip. */
  children: ReactElement;
}

/** What moves the focus, as to look around. Any other key does something, and what that opens is not to be covered. */
const MOVES: ReadonlySet<string> = new Set([
  "Tab",
  "F6",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
]);

/** The last key that was pressed, anywhere in the page; `null` where the pointer or nothing was. */
let lastKey: string | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("keydown", ({ key }) => (lastKey = key), { capture: true, passive: true });
  document.addEventListener("pointerdown", () => (lastKey = null), { capture: true, passive: true });
}

/**
 * The label of a button that has only an icon: below it, as its neighbours stand beside it. The pointer goes through it,
 * and whatever is pressed takes it away.
 */
export function Tooltip({ text, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const close = (): void => setOpen(false);
    document.addEventListener("keydown", close, { capture: true, passive: true });
    document.addEventListener("pointerdown", close, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", close, { capture: true });
      document.removeEventListener("pointerdown", close, { capture: true });
    };
  }, [open]);
  return (
    <Base.Root
      open={open}
      disableHoverablePopup
      onOpenChange={(next, details) => {
        if (next && details.reason === "trigger-focus" && lastKey !== null && !MOVES.has(lastKey)) return;
        setOpen(next);
        if (details.reason !== "escape-key") return;
        // Escape is meant for more than a label that happens to be there: it is not used up by closing it.
        details.cancel();
        details.allowPropagation();
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side="bottom" sideOffset={4} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
