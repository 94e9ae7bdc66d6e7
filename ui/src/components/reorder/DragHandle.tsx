import { GripVertical } from "lucide-react";
import type { PointerEvent } from "react";

import styles from "./reorder.module.css";

interface DragHandleProps {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}

/** What a row is dragged by. With the keyboard it is moved by keys, so assistive technology has no need of it. */
export function DragHandle({ onPointerDown }: DragHandleProps) {
  return (
    <span className={styles.handle} aria-hidden data-tip="Drag to move" data-drag onPointerDown={onPointerDown}>
      <GripVertical size={14} />
    </span>
  );
}
