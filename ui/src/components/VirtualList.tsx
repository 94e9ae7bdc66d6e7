import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

import { cx } from "../lib/cx";
import styles from "./VirtualList.module.css";

export interface VirtualListProps {
  count: number;
  /** Height of every row in pixels. */
  rowHeight: number;
  /** Accessible name. */
  label: string;
  render: (index: number) => ReactNode;
  getKey?: (index: number) => string | number;
  /** Index of the selected row. */
  selected?: number | null;
  /** Makes the rows selectable, by pointer and by arrow keys. Rows then hold no controls. */
  onSelect?: (index: number) => void;
  /** Enter or a double click on the selected row. */
  onActivate?: (index: number) => void;
  /** Scrolls to a row whenever the token changes. */
  scrollTo?: { readonly index: number; readonly token: unknown } | undefined;
  /** Stays at the end while it grows, as long as the user is at the end. */
  followEnd?: boolean;
  /** How many rows have left the front so far; where the user reads, nothing moves when more do. */
  dropped?: number;
  /** The rows drawn now, the last one included. */
  onRange?: (first: number, last: number) => void;
  className?: string | undefined;
}

/** A long list of rows of one height. Only the rows in view exist. */
export function VirtualList({
  count,
  rowHeight,
  label,
  render,
  getKey,
  selected = null,
  onSelect,
  onActivate,
  scrollTo,
  followEnd = false,
  dropped = 0,
  onRange,
  className,
}: VirtualListProps) {
  "use no memo"; // The virtualizer is one object that changes inside.
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(followEnd);
  const id = useId();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    ...(getKey ? { getItemKey: getKey } : {}),
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows[rows.length - 1]?.index ?? -1;

  useEffect(() => {
    virtualizer.measure();
  }, [virtualizer, rowHeight]);

  useEffect(() => {
    if (last >= 0) onRange?.(first, last);
  }, [first, last, onRange]);

  useEffect(() => {
    if (scrollTo && scrollTo.index < count) virtualizer.scrollToIndex(scrollTo.index, { align: "center" });
    // A new token, not a new count, asks for scrolling.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [virtualizer, scrollTo?.token]);

  useEffect(() => {
    if (followEnd && atEnd.current && count > 0) virtualizer.scrollToIndex(count - 1, { align: "end" });
  }, [virtualizer, followEnd, count]);

  const droppedBefore = useRef(dropped);
  useLayoutEffect(() => {
    const gone = dropped - droppedBefore.current;
    droppedBefore.current = dropped;
    if (gone > 0 && !atEnd.current && scroller.current) scroller.current.scrollTop -= gone * rowHeight;
  }, [dropped, rowHeight]);

  const select = (index: number): void => {
    onSelect?.(index);
    virtualizer.scrollToIndex(index, { align: "auto" });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!onSelect || count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const at = selected ?? -1;
    const to =
      event.key === "ArrowDown"
        ? at + 1
        : event.key === "ArrowUp"
          ? at - 1
          : event.key === "PageDown"
            ? at + page
            : event.key === "PageUp"
              ? at - page
              : event.key === "Home"
                ? 0
                : event.key === "End"
                  ? count - 1
                  : null;
    if (to !== null) {
      event.preventDefault();
      select(Math.min(count - 1, Math.max(0, to)));
    } else if (event.key === "Enter" && selected !== null && onActivate) {
      event.preventDefault();
      onActivate(selected);
    }
  };

  const selectable = onSelect !== undefined;
  const drawn = selected !== null && selected >= first && selected <= last;
  return (
    <div
      ref={scroller}
      className={cx(styles.scroller, className)}
      role={selectable ? "listbox" : "list"}
      aria-label={label}
      aria-activedescendant={selectable && drawn ? `${id}-${selected}` : undefined}
      tabIndex={0}
      data-focus="inset"
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const element = event.currentTarget;
        atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < rowHeight;
      }}
    >
      <div className={styles.space} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => (
          <div
            key={row.key}
            id={`${id}-${row.index}`}
            className={styles.row}
            style={{ height: rowHeight, transform: `translateY(${row.start}px)` }}
            role={selectable ? "option" : "listitem"}
            aria-selected={selectable ? row.index === selected : undefined}
            aria-setsize={count}
            aria-posinset={row.index + 1}
            onClick={selectable ? () => onSelect(row.index) : undefined}
            onDoubleClick={onActivate ? () => onActivate(row.index) : undefined}
          >
            {render(row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
