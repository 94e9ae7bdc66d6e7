import { ChevronLeft, ChevronRight } from "lucide-react";
import { useLayoutEffect, useState, type ReactNode, type RefObject } from "react";

import { Button } from "../Button";
import styles from "./table.module.css";

/** Less than this is no column: the handle of the last one stands out. In px. */
const LEAST = 8;

/** What is hidden at the sides; `null` where all columns are in sight. */
type Hidden = { readonly left: boolean; readonly right: boolean } | null;

/** Says that a table has more columns than are in sight, and shows them; nothing where there are no more. */
export function Sideways({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }): ReactNode {
  const hidden = useHidden(scroller);
  if (hidden === null) return null;
  const scroll = (by: 1 | -1): void => {
    const { current } = scroller;
    current?.scrollBy({ left: by * current.clientWidth * 0.7 });
  };
  // None is disabled at its end: it would lose the focus.
  return (
    <div className={styles.sideways}>
      <Button icon={ChevronLeft} aria-disabled={!hidden.left} onClick={() => scroll(-1)}>
        Columns to the left
      </Button>
      <Button aria-disabled={!hidden.right} onClick={() => scroll(1)}>
        Columns to the right
        <ChevronRight size={15} aria-hidden />
      </Button>
    </div>
  );
}

function useHidden(scroller: RefObject<HTMLElement | null>): Hidden {
  const [hidden, setHidden] = useState<Hidden>(null);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const look = (): void => {
      const room = current.scrollWidth - current.clientWidth;
      const left = current.scrollLeft >= LEAST;
      const right = room - current.scrollLeft >= LEAST;
      setHidden((before) => {
        if (room < LEAST) return null;
        return before?.left === left && before.right === right ? before : { left, right };
      });
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    // What is in it is as wide as its columns.
    for (const part of current.children) sizes.observe(part);
    current.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, [scroller]);
  return hidden;
}
