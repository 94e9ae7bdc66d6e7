import { Fragment, useLayoutEffect, type ComponentPropsWithoutRef, type CSSProperties, type ReactNode } from "react";

import { cx } from "../../lib/cx";
import type { RowList } from "./useRowWindow";
import styles from "./VirtualRows.module.css";

export interface VirtualRowsProps extends Omit<ComponentPropsWithoutRef<"div">, "children"> {
  readonly list: RowList;
  /** Renders one row, of the list's height (`--row-height`). Clickable rows need `data-row={index}`. */
  readonly row: (index: number) => ReactNode;
  /** Header that scrolls sideways with the rows; the list's inset is its height. */
  readonly head?: ReactNode;
  /** The content is as wide as its widest row. */
  readonly wide?: boolean;
  /** Role of the element that holds all rows. */
  readonly rowsRole?: "presentation" | "rowgroup";
  /** Shown instead of rows. */
  readonly children?: ReactNode;
}

/**
 * The only virtual list: a scroller that contains only the rows around the visible ones. It takes the focus; its user
 * provides roles, names and keys.
 *
 * Not from a library, since libraries lay out one element as high as all rows, and engines cap the height of an element
 * below that of a million rows (`scaledScroll.ts`).
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
