import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode, RefObject } from "react";

import { Button } from "../Button";
import styles from "./table.module.css";
import type { HiddenColumns } from "./useHiddenColumns";

export interface SidewaysProps {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hidden: HiddenColumns;
  readonly small?: boolean;
}

/** Tells that a table has more columns than are visible, and scrolls to them; renders nothing if all are visible. */
export function Sideways({ scroller, hidden, small = false }: SidewaysProps): ReactNode {
  if (hidden.left + hidden.right === 0) return null;
  const scroll = (by: 1 | -1): void => {
    const { current } = scroller;
    current?.scrollBy({ left: by * current.clientWidth * 0.7 });
  };
  // The buttons are never disabled at an end, as they would lose the focus.
  return (
    <div className={styles.sideways}>
      <Button small={small} icon={ChevronLeft} aria-disabled={hidden.left === 0} onClick={() => scroll(-1)}>
        Columns to the left
      </Button>
      <Button small={small} aria-disabled={hidden.right === 0} onClick={() => scroll(1)}>
        Columns to the right
        <ChevronRight size={15} aria-hidden />
      </Button>
    </div>
  );
}
