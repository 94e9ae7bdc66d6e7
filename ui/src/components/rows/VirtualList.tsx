import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { onListKey, rowOf } from "./rowInput";
import { isDrawn, useRowWindow } from "./useRowWindow";
import { VirtualRows } from "./VirtualRows";
import styles from "./VirtualList.module.css";

export interface VirtualListProps {
  readonly count: number;
  /** Height of every row in px. */
  readonly rowHeight: number;
  /** Accessible name. */
  readonly label: string;
  readonly render: (index: number) => ReactNode;
  /** Index of the selected row. */
  readonly selected?: number | null;
  /** Makes the rows selectable, by pointer and by arrow keys. Rows then hold no controls. */
  readonly onSelect?: (index: number) => void;
  /** Handles Enter or a double click on the selected row. */
  readonly onActivate?: (index: number) => void;
  /** Scrolls to a row whenever the token changes. */
  readonly scrollTo?: { readonly index: number; readonly token: unknown } | undefined;
  /** Follows the end of a growing list while the user is at the end. */
  readonly followEnd?: boolean;
  /** Number of rows removed from the front so far; the rows in view stay in place when it grows. */
  readonly dropped?: number;
  /** Reports the rendered rows: `from` up to, but excluding, `to`. */
  readonly onRange?: (from: number, to: number) => void;
}

/** A list of rows, or a list box if they can be selected. */
export function VirtualList({
  count,
  rowHeight,
  label,
  render,
  selected = null,
  onSelect,
  onActivate,
  scrollTo,
  followEnd = false,
  dropped,
  onRange,
}: VirtualListProps): ReactNode {
  const id = useId();
  const [atEnd, setAtEnd] = useState(true);
  const list = useRowWindow(count, {
    rowHeight,
    follow: followEnd && atEnd,
    dropped,
    onUserScroll: setAtEnd,
    onRange,
  });
  const { window, view } = list;

  useEffect(() => {
    if (!scrollTo || scrollTo.index >= count) return;
    const { firstVisible, fit } = window.snapshot();
    // A visible row stays where it is, as it may just have been clicked.
    const isSeen = scrollTo.index >= firstVisible && scrollTo.index < firstVisible + fit;
    window.scrollToRow(scrollTo.index, isSeen ? "nearest" : "center");
    // Scroll for a new token, not for a new count.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [window, scrollTo?.token]);

  const sight = useRef(view);
  const current = useRef(-1);
  useEffect(() => {
    const { firstVisible, fit } = sight.current;
    sight.current = view;
    if (selected === null) return;
    current.current = selected;
    // The selected row stays visible when the list becomes lower, as by details below it.
    if (view.fit < fit && selected >= firstVisible && selected < firstVisible + fit) window.scrollToRow(selected);
  }, [window, view, selected]);

  const select = (index: number): void => {
    onSelect?.(index);
    window.scrollToRow(index);
    setAtEnd(window.snapshot().atEnd);
  };

  const onKeyDown = (event: KeyboardEvent): void =>
    onListKey(event, {
      // After the selection is lost, keys continue from its last position.
      at: selected ?? Math.min(current.current, count - 1),
      rows: count,
      fit: view.fit,
      onMove: select,
      onKey: (key) => {
        if (key !== "Enter" || selected === null || !onActivate) return false;
        onActivate(selected);
        return true;
      },
    });

  const onRow = (act: ((index: number) => void) | undefined) => (event: { readonly target: EventTarget }) => {
    const index = rowOf(event);
    if (index !== null) act?.(index);
  };

  const selectable = onSelect !== undefined;
  return (
    <VirtualRows
      list={list}
      className="tall wide"
      role={selectable ? "listbox" : "list"}
      aria-label={label}
      aria-activedescendant={selectable && isDrawn(list, selected) ? `${id}-${selected}` : undefined}
      onKeyDown={selectable ? onKeyDown : undefined}
      onClick={onRow(onSelect)}
      onDoubleClick={onRow(onActivate)}
      row={(index) => (
        <div
          id={`${id}-${index}`}
          data-row={index}
          className={styles.row}
          style={{ height: list.rowHeight }}
          role={selectable ? "option" : "listitem"}
          aria-selected={selectable ? index === selected : undefined}
          aria-setsize={count}
          aria-posinset={index + 1}
        >
          {render(index)}
        </div>
      )}
    />
  );
}
