import { GripVertical } from "lucide-react";
import type { PointerEvent } from "react";

import styles from "./reorder.module.css";

interface DragHandleProps {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}

/** Handle to drag a row by. Hidden from assistive technology, as the keyboard moves rows by keys. */
export function DragHandle({ onPointerDown }: DragHandleProps) {
  return (
    <span className={styles.handle} aria-hidden data-tip="Drag to move" data-drag onPointerDown={onPointerDown}>
      <GripVertical size={14} />
    </span>
  );
}
