import { Fragment, useLayoutEffect, type ComponentPropsWithoutRef, type CSSProperties, type ReactNode } from "react";

import { cx } from "../../lib/cx";
import type { RowList } from "./useRowWindow";
import styles from "./VirtualRows.module.css";

export interface VirtualRowsProps extends Omit<ComponentPropsWithoutRef<"div">, "children"> {
  readonly list: RowList;
  /** Renders one row, of the list's height (`--row-height`). Wants `data-row={index}` where rows are clicked. */
  readonly row: (index: number) => ReactNode;
  /** Stands above the rows and scrolls sideways with them; the list's inset is its height. */
  readonly head?: ReactNode;
  /** The scroller is as wide inside as its widest row. */
  readonly wide?: boolean;
  /** Role of the element around all rows. */
  readonly rowsRole?: "presentation" | "rowgroup";
  /** Shown instead of rows. */
  readonly children?: ReactNode;
}

/**
 * The one virtual list: a scroller in which only the rows around what is visible exist. It takes the
 * focus; roles, names and keys are given by whoever uses it.
 *
 * Not from a library, since those lay out one element as high as all rows, and engines cap the
 * height of an element below that of a million rows (`scaledScroll.ts`).
 */
export function VirtualRows({
  list,
  row,
  head,
  wide = false,
  rowsRole = "presentation",
  className,
  children,
  ...scroller
}: VirtualRowsProps): ReactNode {
  const { window, view, scroller: element } = list;
  useLayoutEffect(() => (element.current ? window.attach(element.current) : undefined), [window, element]);
  const layer = (
    <div className="positioned" role={rowsRole} data-row-layer="" style={{ height: view.height }}>
      <div
        className="absolute top0 left0 minWide"
        role="presentation"
        style={{ transform: `translateY(${view.top}px)` }}
      >
        {Array.from({ length: Math.max(0, Math.min(view.to, list.rows) - view.from) }, (_, i) => {
          const index = view.from + i;
          return <Fragment key={index % view.slots}>{row(index)}</Fragment>;
        })}
      </div>
    </div>
  );
  return (
    <div
      ref={element}
      className={cx(styles.scroller, className)}
      tabIndex={0}
      data-focus="inset"
      data-scroll={list.follow ? undefined : scroller["aria-label"]}
      {...scroller}
      style={{ ...scroller.style, "--row-height": `${list.rowHeight}px` } as CSSProperties}
    >
      {wide ? (
        <div className={styles.wide} role="presentation">
          {head}
          {layer}
        </div>
      ) : (
        <>
          {head}
          {layer}
        </>
      )}
      {children}
    </div>
  );
}
