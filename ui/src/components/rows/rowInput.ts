import type { KeyboardEvent } from "react";

/** Returns the row of an event, by its `data-row`. */
export function rowOf(event: { readonly target: EventTarget }): number | null {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  return element ? Number(element.dataset.row) : null;
}

/**
 * Returns the row that a key moves to from row `at` (-1: before the first) of `rows`, if `fit` of them are visible at
 * once; `null` for keys that do not move.
 */
export function rowByKey(key: string, at: number, rows: number, fit: number): number | null {
  const page = Math.max(1, fit - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows - 1,
  };
  const to = moves[key];
  return to === undefined || rows === 0 ? null : Math.min(rows - 1, Math.max(0, to));
}

interface ListKeys {
  /** Row that the keys start from; -1: before the first. */
  readonly at: number;
  readonly rows: number;
  /** Number of rows that are visible at once. */
  readonly fit: number;
  readonly onMove: (row: number, key: string) => void;
  /** Handles further keys without a modifier, letters in lower case; returns true if it did. */
  readonly onKey?: (key: string) => boolean;
}

/** Handles a key of a list. Keys with a modifier, and unused keys, are not handled. */
export function onListKey(event: KeyboardEvent, { at, rows, fit, onMove, onKey }: ListKeys): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const to = rowByKey(event.key, at, rows, fit);
  if (to !== null) onMove(to, event.key);
  else if (onKey?.(event.key.length === 1 ? event.key.toLowerCase() : event.key) !== true) return;
  event.preventDefault();
  event.stopPropagation();
}
